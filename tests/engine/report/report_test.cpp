#include "engine/report/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/report/picture.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

/// A branch that joins again, and a node that nobody knows if asked for.
std::string modelText(const std::string& last) {
    return R"(
<ir_version: 8, opset_import: ["" : 17, "acme" : 1], producer_name: "<hand>&">
g (float[batch, 4] x) => (float[batch, 4] y)
{
    a = Softmax(x)
    b = Transpose(x)
    c = Transpose(b)
    d = MatMul(b, a)
    e = MatMul(a, d)
    )" + last +
           " }";
}

/// A measured session.
struct Measured {
    std::shared_ptr<const Model> model;
    std::shared_ptr<Session> session;
    ProfileResult profile;

    explicit Measured(const std::string& source) : model(Model::parse(source)) {
        Observer observer;
        session = Session::create(model, {.providers = {"reference"}, .threads = 1}, observer);
        const auto inputs = completeInputs(*model, {}, {.bindings = {{"batch", 4}}}, observer);
        profile = engine::profile(*session, inputs, {.runs = 10, .seconds = 0, .limits = {}}, observer);
    }
};

const Measured& small() {
    static const Measured measured(modelText("y = Add(c, e)"));
    return measured;
}

/// The tags of `markup` close in the order in which they open.
testing::AssertionResult isBalanced(const std::string& markup) {
    std::vector<std::string> open;
    for (size_t at = markup.find('<'); at != std::string::npos; at = markup.find('<', at + 1)) {
        const size_t end = markup.find('>', at);
        if (end == std::string::npos) return testing::AssertionFailure() << "a tag is not closed";
        const std::string tag = markup.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find_first_of(" \n/", tag[0] == '/' ? 1 : 0));
        const bool isVoid = tag.back() == '/' || tag[0] == '!' || name == "meta";
        if (isVoid) continue;
        if (name[0] != '/') {
            open.push_back(name);
        } else if (open.empty() || "/" + open.back() != name) {
            return testing::AssertionFailure()
                   << name << " closes " << (open.empty() ? "nothing" : open.back());
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? testing::AssertionSuccess()
                        : testing::AssertionFailure() << open.back() << " stays open";
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
    const size_t begin = text.find(from);
    const size_t end = text.find(to, begin);
    return begin == std::string::npos || end == std::string::npos
               ? ""
               : text.substr(begin, end - begin + to.size());
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Report, IsOneWellFormedPageThatNeedsNothingElse) {
    std::string page = renderHtml(*small().session, small().profile, {});
    for (const char* outside : {"http://", "https://", "src=", "@import", "url("}) {
        std::string rest = page;
        const std::string ns = "http://www.w3.org/2000/svg";
        for (size_t at = rest.find(ns); at != std::string::npos; at = rest.find(ns))
            rest.erase(at, ns.size());
        EXPECT_FALSE(contains(rest, outside)) << outside;
    }
    for (const char* element : {"<style>", "<script type", "<script>"}) {
        const std::string part =
            between(page, element, element == std::string("<style>") ? "</style>" : "</script>");
        ASSERT_NE(part, "") << element;
        page.erase(page.find(part), part.size());
    }
    EXPECT_TRUE(isBalanced(page));
}

TEST(Report, TellsFiguresStepsAndSetUp) {
    const std::string page = renderHtml(
        *small().session, small().profile,
        {.inputs = {{"x", "float[4, 4]", "made up, seed 0"}}, .command = "opscope-cli report <m>"});
    for (const char* part :
         {"latency of a run", "±", "n 10", "MatMul", "Softmax", "p-reference", "made up, seed 0",
          "opscope-cli report &lt;m&gt;", "What the figures measure", "&lt;hand&gt;&amp;"}) {
        EXPECT_TRUE(contains(page, part)) << part;
    }
    EXPECT_FALSE(contains(page, "<hand>"));
}

TEST(Report, HoldsTheFiguresAsJson) {
    const std::string page = renderHtml(*small().session, small().profile, {});
    const std::string element =
        between(page, "<script type=\"application/json\" id=\"figures\">", "</script>");
    const size_t begin = element.find('>') + 1;
    const auto json = nlohmann::json::parse(element.substr(begin, element.rfind("</script>") - begin));
    EXPECT_EQ(json.at("schema"), 1);
    EXPECT_EQ(json.at("latencies_ns").size(), 10U);
}

TEST(Report, IsTheSameForTheSame) {
    EXPECT_EQ(renderHtml(*small().session, small().profile, {}),
              renderHtml(*small().session, small().profile, {}));
}

TEST(Report, ComesInTheFormThatTheNameAsksFor) {
    const test::TemporaryFolder folder;
    const auto save = [&](const std::string& name) {
        saveReport(folder.path() / name, *small().session, small().profile, {});
        return test::readFile(folder.path() / name);
    };
    EXPECT_TRUE(save("r.html").starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(contains(save("r.md"), "| MatMul | reference | 2 |"));
    EXPECT_TRUE(save("r.csv").starts_with("step,parent,name,"));
    EXPECT_EQ(nlohmann::json::parse(save("r.json")).at("schema"), 1);
    EXPECT_THROW(save("r.pdf"), Error);
}

TEST(Picture, ShowsInputsNodesAndOutputsWithTheirEdges) {
    const Picture picture = pictureOf(*small().session, &small().profile, 400);
    ASSERT_EQ(picture.boxes.size(), small().session->graph()->graph->nodes.size() + 2);
    EXPECT_EQ(picture.boxes.front().kind, PictureBox::Kind::input);
    EXPECT_EQ(picture.boxes.front().subtitle, "batch×4");
    EXPECT_EQ(picture.boxes.back().kind, PictureBox::Kind::output);
    double share = 0;
    for (const PictureBox& box : picture.boxes) share += box.share;
    EXPECT_NEAR(share, 1, 1e-9);
    for (const PictureEdge& edge : picture.edges) EXPECT_LT(edge.from, edge.to);
    EXPECT_TRUE(isBalanced(svgOf(picture)));
}

TEST(Picture, DrawsNeighboursAsOneBoxWhereThereAreTooMany) {
    std::string source =
        "<ir_version: 8, opset_import: [\"\" : 17]> g (float[4] x) => (float[4] y) { v0 = Softmax(x)\n";
    for (int i = 1; i < 1000; ++i) source += text('v', i, " = Softmax(v", i - 1, ")\n");
    const auto model = Model::parse(source + "y = Softmax(v999) }");
    Observer observer;
    const auto session = Session::create(model, {.providers = {"reference"}}, observer);
    const Picture picture = pictureOf(*session, nullptr, 50);
    EXPECT_LE(picture.boxes.size(), 52U);
    EXPECT_GE(picture.boxes.size(), 25U);
    EXPECT_EQ(picture.nodes, 1001U);
    EXPECT_TRUE(contains(picture.boxes[1].subtitle, "Softmax ×"));
    EXPECT_TRUE(isBalanced(svgOf(picture)));
}

TEST(Picture, ShowsANodeThatNobodyRuns) {
    const auto model = Model::parse(modelText("y = acme.Frobnicate(c, e)"));
    Observer observer;
    const auto session = Session::create(model, {.providers = {"reference"}}, observer);
    const std::string svg = svgOf(pictureOf(*session, nullptr, 400));
    EXPECT_TRUE(contains(svg, "acme.Frobnicate"));
    EXPECT_TRUE(contains(svg, "p-none"));
    EXPECT_TRUE(contains(svg, "nobody runs it"));
}

}  // namespace
}  // namespace engine
