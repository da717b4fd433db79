#include "views/graph/layout_client.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "tests/views/sample_model.h"
#include "views/graph/walk.h"

namespace views {
namespace {

std::shared_ptr<const Scene> sampleScene(const std::shared_ptr<const engine::Model>& model) {
    engine::Observer observer;
    return buildScene(*model, mainPath(*model, model->typed).back(), {}, observer);
}

QString helper() { return QString::fromStdString((test::binDir() / "opscope-layout").string()); }

/// An executable that does what `script` says.
QString scriptIn(const test::TemporaryFolder& folder, const std::string& script) {
    const auto path = folder.path() / "helper";
    std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return QString::fromStdString(path.string());
}

std::string failureOf(const QString& program) {
    engine::Observer observer;
    const auto model = test::sampleModel();
    try {
        layOut(sampleScene(model), program, observer);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return {};
}

TEST(LayoutClient, PlacesEveryNodeApartFromTheOthersAndInOrder) {
    const auto model = test::sampleModel();
    engine::Observer observer;
    const auto placed = layOut(sampleScene(model), helper(), observer);
    const auto& rects = placed->nodeRects;
    for (size_t a = 0; a < rects.size(); ++a) {
        EXPECT_FALSE(rects[a].isNull());
        EXPECT_TRUE(placed->bounds.adjusted(-1, -1, 1, 1).contains(rects[a]));
        for (size_t b = a + 1; b < rects.size(); ++b)
            EXPECT_FALSE(rects[a].intersects(rects[b])) << a << " and " << b;
    }
    for (size_t edge = 0; edge < placed->edgePaths.size(); ++edge) {
        EXPECT_FALSE(placed->edgePaths[edge].isEmpty());
        const SceneEdge& which = placed->scene->edges[edge];
        EXPECT_LT(rects[static_cast<size_t>(which.from)].center().y(),
                  rects[static_cast<size_t>(which.to)].center().y());
    }
}

TEST(LayoutClient, FindsWhatLiesAtAPoint) {
    const auto model = test::sampleModel();
    engine::Observer observer;
    const auto placed = layOut(sampleScene(model), helper(), observer);
    for (size_t node = 0; node < placed->nodeRects.size(); ++node) {
        EXPECT_EQ(placed->nodeAt(placed->nodeRects[node].center()), static_cast<int>(node));
    }
    EXPECT_EQ(placed->nodeAt(placed->bounds.bottomRight() + QPointF(50, 50)), -1);
    const QPainterPath& path = placed->edgePaths.front();
    const int edge = placed->edgeAt(path.pointAtPercent(0.4) + QPointF(1, 0), 4);
    ASSERT_GE(edge, 0);
    EXPECT_EQ(placed->scene->edges[static_cast<size_t>(edge)].value, placed->scene->edges.front().value);
}

TEST(LayoutClient, ArrowsWalkAlongTheEdges) {
    const auto model = test::sampleModel();
    engine::Observer observer;
    const auto placed = layOut(sampleScene(model), helper(), observer);
    const int multiply = placed->scene->find(test::originNamed(*model, "a_mul"));
    const int relu = placed->scene->find(test::originNamed(*model, "a_relu"));
    EXPECT_EQ(walk(*placed, multiply, Step::down), relu);
    EXPECT_EQ(walk(*placed, relu, Step::up), multiply);
    EXPECT_EQ(walk(*placed, firstNode(*placed), Step::up), -1);
}

TEST(LayoutClient, SaysThatTheHelperIsNotThere) {
    EXPECT_NE(failureOf("/nowhere/opscope-layout").find("does not start"), std::string::npos);
}

TEST(LayoutClient, HandsOnWhatTheHelperComplainsOf) {
    const test::TemporaryFolder folder;
    const std::string failure =
        failureOf(scriptIn(folder, "cat > /dev/null; echo 'node 3 is there twice' >&2; exit 2"));
    EXPECT_NE(failure.find("node 3 is there twice"), std::string::npos) << failure;
}

TEST(LayoutClient, SaysThatAnAnswerMakesNoSense) {
    const test::TemporaryFolder folder;
    const std::string failure = failureOf(scriptIn(folder, "cat > /dev/null; echo nonsense"));
    EXPECT_NE(failure.find("answer"), std::string::npos) << failure;
}

TEST(LayoutClient, TriesTwiceWhenTheHelperCrashes) {
    const test::TemporaryFolder folder;
    const std::string log = (folder.path() / "log").string();
    const std::string failure =
        failureOf(scriptIn(folder, "cat > /dev/null; echo x >> " + log + "; kill -SEGV $$"));
    EXPECT_NE(failure.find("crashed"), std::string::npos) << failure;
    std::ifstream lines(log);
    EXPECT_EQ(std::count(std::istreambuf_iterator<char>(lines), {}, 'x'), 2);
}

TEST(LayoutClient, AHelperThatHangsIsKilledWhenNobodyWantsItAnyMore) {
    struct Impatient final : engine::Observer {
        mutable int asked = 0;
        bool cancelled() const override { return ++asked > 5; }
    };
    const test::TemporaryFolder folder;
    const QString program = scriptIn(folder, "cat > /dev/null; exec sleep 600");
    const auto model = test::sampleModel();
    const auto scene = sampleScene(model);
    Impatient observer;
    EXPECT_THROW(layOut(scene, program, observer), engine::Cancelled);
}

}  // namespace
}  // namespace views
