#include <set>

#include <QImage>
#include <QProcess>
#include <gtest/gtest.h>

#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "views/theme.h"

namespace app {
namespace {

struct Taken {
    int exitCode = -1;
    QString complaint;
    QImage image;
};

Taken take(const QStringList& arguments, const std::string& model = "resources/sample/digits.onnx") {
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "picture.png").string());
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(variable);
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString((test::binDir() / "opscope").string()),
                  QStringList{"--screenshot", file} + arguments +
                      QStringList{QString::fromStdString((test::sourceDir() / model).string())});
    Taken taken;
    if (!process.waitForFinished(100000)) {
        process.kill();
        process.waitForFinished();
        return taken;
    }
    taken.exitCode = process.exitCode();
    taken.complaint = QString::fromUtf8(process.readAllStandardError());
    taken.image = QImage(file);
    return taken;
}

/// How many pixels have that colour.
int pixelsOf(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y).rgb() == colour.rgb() ? 1 : 0;
    }
    return count;
}

size_t coloursIn(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    }
    return colours.size();
}

/// Where the legend stands in a picture of that size: at the canvas's lower left, right of the outline.
QImage legendOf(const QImage& image, int scale = 1) {
    return image.copy(scale * 150, image.height() - scale * 160, scale * 160, scale * 130);
}

TEST(Screenshot, OfTheGraphShowsTheProvidersColour) {
    const Taken taken = take({"--size", "1200x800"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    ASSERT_EQ(taken.image.size(), QSize(1200, 800));
    EXPECT_GT(coloursIn(taken.image), 60U);
    EXPECT_GT(pixelsOf(taken.image, views::lightColours().provider("cpu")), 400)
        << "legend, stripes and letters";
    const views::Colours& colours = views::lightColours();
    for (const QColor& colour : {colours.provider("cpu"), colours.provider("reference"), colours.copy}) {
        EXPECT_GT(pixelsOf(legendOf(taken.image), colour), 50) << colour.name().toStdString();
    }
}

TEST(Screenshot, AtTwiceTheScaleHasFourTimesThePixels) {
    const Taken taken = take({"--size", "1200x800", "--scale", "2"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    ASSERT_EQ(taken.image.size(), QSize(2400, 1600));
    EXPECT_GT(pixelsOf(legendOf(taken.image, 2), views::lightColours().provider("cpu")), 400);
    // Were it drawn once and stretched, each pixel would equal its neighbour.
    int differing = 0;
    for (int y = 0; y < 1600; y += 2) {
        for (int x = 0; x < 2400; x += 2) differing += taken.image.pixel(x, y) != taken.image.pixel(x + 1, y);
    }
    EXPECT_GT(differing, 5000);
}

TEST(Screenshot, ShowsTheSelectedNode) {
    const Taken taken = take({"--size", "1200x800", "--select", "Softmax"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    const QImage canvas = taken.image.copy(245, 60, 600, 700);
    EXPECT_GT(pixelsOf(canvas, views::lightColours().accent), 100) << "the outline";
    EXPECT_EQ(take({"--select", "Nonsense"}).exitCode, 2);
}

TEST(Screenshot, ByFamilyShowsEachFamilyOfTheSampleInTheLegend) {
    const Taken taken = take({"--size", "1200x800", "--theme", "dark", "--colour-by", "family"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    const views::Colours& colours = views::darkColours();
    EXPECT_GT(pixelsOf(taken.image, colours.canvas), 10000);
    for (const auto family : {views::Family::layer, views::Family::activation, views::Family::normalization,
                              views::Family::pooling, views::Family::shape}) {
        EXPECT_GT(pixelsOf(taken.image, colours.family(family)), 80) << views::nameOf(family).toStdString();
    }
}

TEST(Screenshot, OfTheProfileShowsPointsAndSharesOfProviders) {
    const Taken taken = take({"--workspace", "profile", "--size", "1200x800"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    EXPECT_GT(coloursIn(taken.image), 60U);
    EXPECT_GT(pixelsOf(taken.image, views::lightColours().provider("cpu")), 400);
}

TEST(Screenshot, OfTheComparisonShowsALineForEachProvider) {
    const Taken taken = take({"--workspace", "compare", "--size", "1200x800"});
    EXPECT_EQ(taken.exitCode, 0) << taken.complaint.toStdString();
    for (const char* provider : {"cpu", "reference"}) {
        EXPECT_GT(pixelsOf(taken.image, views::lightColours().provider(provider)), 150) << provider;
    }
}

TEST(Screenshot, OfAFileThatIsNoModelShowsTheErrorAndSaysSo) {
    const Taken taken = take({}, "README.md");
    EXPECT_EQ(taken.exitCode, 2);
    EXPECT_TRUE(taken.complaint.contains("README.md")) << taken.complaint.toStdString();
    EXPECT_GT(coloursIn(taken.image), 5U);
}

}  // namespace
}  // namespace app
