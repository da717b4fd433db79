#include "engine/session.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace test {
namespace {

using namespace engine;

std::shared_ptr<Session> sessionOf(const std::string& text,
                                   const std::vector<std::string>& providers = {"cpu", "reference"}) {
    Observer observer;
    SessionOptions options;
    options.providers = providers;
    options.threads = 1;
    return Session::create(Model::parse(text), options, observer);
}

Tensor floats(const Dims& dims, std::initializer_list<float> values) {
    return Tensor::of<float>(dims, values);
}

std::vector<float> run(Session& session, const std::vector<NamedDatum>& inputs,
                       const RunOptions& options = {}) {
    Observer observer;
    const RunResult result = session.run(inputs, options, observer);
    const auto values = result.outputs.at(0).datum.tensor().values<float>();
    return {values.begin(), values.end()};
}

std::string errorOf(Session& session, const std::vector<NamedDatum>& inputs, const RunOptions& options = {}) {
    try {
        Observer observer;
        session.run(inputs, options, observer);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Session, RunsTheSameModelAtSeveralShapes) {
    const auto session = sessionOf("agraph (float[N] x) => (float[N] y) { a = Relu(x)  y = Neg(a) }");
    EXPECT_EQ(run(*session, {{"x", floats({2}, {-1, 2})}}), (std::vector<float>{0, -2}));
    EXPECT_EQ(run(*session, {{"x", floats({3}, {1, -2, 3})}}), (std::vector<float>{-1, 0, -3}));
    EXPECT_EQ(run(*session, {{"x", floats({2}, {-1, 2})}}), (std::vector<float>{0, -2}));
    EXPECT_TRUE(run(*session, {{"x", floats({0}, {})}}).empty());
}

TEST(Session, RefusesAValueThatNoMemoryHolds) {
    // Its bytes are more than 64 bits can count.
    const auto session = sessionOf(
        "agraph (int64 n) => (int64[K] y) { s = Constant <value_int = 0> () d = Constant <value_int = 1> () "
        "y = "
        "Range(s, n, d) }");
    const std::string error = errorOf(*session, {{"n", Tensor::scalar<int64_t>(INT64_MAX)}});
    EXPECT_NE(error.find("larger than memory can be"), std::string::npos) << error;
}

TEST(Session, GoesOnAfterAShapeThatDependsOnData) {
    const auto session = sessionOf(
        "agraph (float[N] x) => (float[M] y) { i = NonZero(x)  t = Transpose(i)  g = GatherND(x, t)  y = "
        "Neg(g) }");
    EXPECT_EQ(run(*session, {{"x", floats({4}, {0, 5, 0, 7})}}), (std::vector<float>{-5, -7}));
    EXPECT_EQ(run(*session, {{"x", floats({4}, {1, 5, 0, 7})}}), (std::vector<float>{-1, -5, -7}));
    EXPECT_TRUE(run(*session, {{"x", floats({4}, {0, 0, 0, 0})}}).empty());
}

TEST(Session, CompilesAnewWhenAValueThatDecidesAShapeChanges) {
    const auto session =
        sessionOf("agraph (float[6] x, int64[2] s) => (float[M, K] y) { y = Reshape(x, s) }");
    Observer observer;
    const Tensor x = floats({6}, {1, 2, 3, 4, 5, 6});
    for (const auto& dims : std::vector<Dims>{{2, 3}, {3, 2}, {6, 1}, {2, 3}}) {
        const RunResult result =
            session->run({{"x", x}, {"s", Tensor::of<int64_t>({2}, dims)}}, {}, observer);
        EXPECT_EQ(result.outputs[0].datum.tensor().dims(), dims);
    }
}

TEST(Session, CompilesOnceForValuesThatDecideNoShape) {
    const auto session =
        sessionOf("agraph (int64[2,2] x) => (int64[2,2] y) { a = Mul(x, x)  y = Add(a, x) }");
    Observer observer;
    EXPECT_GT(session->prepare({{"x", Tensor::of<int64_t>({2, 2}, {1, 2, 3, 4})}}, {}, observer), 0);
    EXPECT_EQ(session->prepare({{"x", Tensor::of<int64_t>({2, 2}, {1, 2, 3, 5})}}, {}, observer), 0);
}

TEST(Session, PreparesWithinTheLimits) {
    const auto session = sessionOf(
        "agraph (float[4,1] x) => (float[4,N] y) <int64[2] repeats = {1, 1000000}> { y = Tile(x, repeats) }");
    Observer observer;
    EXPECT_THROW(session->prepare({{"x", floats({4, 1}, {1, 2, 3, 4})}}, {.memoryBytes = 1000000}, observer),
                 Error);
}

TEST(Session, CountsTheBytesOfConstantsThatKernelsPacked) {
    const std::string product =
        "agraph (float[1,4] x) => (float[1,3] y) <float[4,3] w = {1, 2, 3, 4, 5, 6, 7, "
        "8, 9, 10, 11, 12}> { y = MatMul(x, w) }";
    const auto packed = sessionOf(product);
    EXPECT_EQ(packed->memory().packedBytes, 0U) << "nothing is compiled yet";
    EXPECT_EQ(run(*packed, {{"x", floats({1, 4}, {1, 0, 0, 0})}}), (std::vector<float>{1, 2, 3}));
    EXPECT_GE(packed->memory().packedBytes, 4 * 3 * sizeof(float));
    const auto plain = sessionOf(product, {"reference"});
    run(*plain, {{"x", floats({1, 4}, {1, 0, 0, 0})}});
    EXPECT_EQ(plain->memory().packedBytes, 0U);
}

TEST(Session, AnInputThatIsAnOutputComesBack) {
    const auto session = sessionOf("agraph (float[2] x) => (float[2] y) { y = Identity(x) }");
    EXPECT_EQ(run(*session, {{"x", floats({2}, {4, 5})}}), (std::vector<float>{4, 5}));
}

TEST(Session, ResultsOfARunOutliveTheNextOne) {
    const auto session = sessionOf("agraph (float[2] x) => (float[2] y) { a = Neg(x)  y = Relu(a) }");
    Observer observer;
    const RunResult first = session->run({{"x", floats({2}, {-1, -2})}}, {}, observer);
    session->run({{"x", floats({2}, {-8, -9})}}, {}, observer);
    EXPECT_EQ(first.outputs[0].datum.tensor().values<float>()[1], 2);
}

TEST(Session, ResultsThatAreViewsStayWhateverRunsLater) {
    // LogSoftmax gives its result in the order that the second Transpose undoes: the output is a view of it.
    const auto session = sessionOf(R"(agraph (float[2,3,4] x) => (float[2,3,4] y, float[2,4,3] z) {
        t = Transpose <perm = [0, 2, 1]> (x)
        l = LogSoftmax <axis = 2> (t)
        y = Transpose <perm = [0, 2, 1]> (l)
        a = Sigmoid(y)
        b = Cos(a)
        c = Sin(b)
        d = Add(c, a)
        z = Transpose <perm = [0, 2, 1]> (d)
    })");
    Observer observer;
    Tensor x = Tensor::allocate(DataType::float32, {2, 3, 4});
    for (float& value : x.mutableValues<float>()) value = 1;
    const RunResult result = session->run({{"x", x}}, {}, observer);
    for (const float value : result.outputs[0].datum.tensor().values<float>()) {
        EXPECT_NEAR(value, -std::log(3.0F), 1e-6);
    }
}

TEST(Session, SequencesKeepWhatIsPutIntoThem) {
    for (const char* provider : {"cpu", "reference"}) {
        const auto session = sessionOf(R"(agraph (float[2] x) => (float[4] y) {
            a = Neg(x)
            e = Relu(a)
            s = SequenceConstruct(e)
            b = Exp(e)
            c = Exp(b)
            t = SequenceInsert(s, c)
            first = Constant <value_int = 0> ()
            d = SequenceAt(t, first)
            y = Concat <axis = 0> (d, c)
        })",
                                       {provider, "reference"});
        const std::vector<float> values = run(*session, {{"x", floats({2}, {-1, 2})}});
        EXPECT_EQ(values[0], 1);
        EXPECT_EQ(values[1], 0);
        EXPECT_NEAR(values[3], std::exp(1.0F), 1e-5);
    }
}

TEST(Session, RunsMayOverlap) {
    const auto session = sessionOf(
        "agraph (float[N] x) => (float[N] y) { a = Neg(x)  b = Exp(a)  c = Add(b, x)  y = Relu(c) }");
    const auto work = [&](float value) {
        for (int i = 0; i < 200; ++i) {
            const std::vector<float> result = run(*session, {{"x", floats({3}, {value, value, value})}});
            ASSERT_NEAR(result[2], std::exp(-value) + value, 1e-5);
        }
    };
    std::thread other([&] { work(1.5F); });
    work(0.25F);
    other.join();
}

TEST(Session, ErrorsNameTheNode) {
    const auto session =
        sessionOf("agraph (float[N] x) => (float[N] y) { a = Relu(x)  [second] y = Rellu(a) }");
    EXPECT_EQ(errorOf(*session, {{"x", floats({1}, {1})}}),
              "node 'second' (Rellu): there is no operator Rellu in ai.onnx; did you mean Relu?");
}

TEST(Session, RefusesNodesWithoutTheInputsTheyNeed) {
    const std::string x = "agraph (float[2,2] x) => (float[2,2] y) ";
    for (const char* provider : {"cpu", "reference"}) {
        for (const char* nodes : {"{ y = MatMul(x) }", "{ y = Transpose() }",
                                  "{ y = Einsum <equation = \"ij,jk->ik\"> (\"\", x) }",
                                  "{ y = Conv(\"\", x) }", "{ y = RMSNormalization(x) }"}) {
            const auto session = sessionOf(x + nodes, {provider, "reference"});
            const std::string error = errorOf(*session, {{"x", floats({2, 2}, {1, 2, 3, 4})}});
            EXPECT_NE(error.find("node #0"), std::string::npos) << nodes << ": " << error;
        }
    }
}

TEST(Session, RefusesALoopWithoutWhatItCarries) {
    const auto session = sessionOf(R"(agraph (int64 n, bool more, float[2] x) => (float[2] y) {
        y = Loop(n, more, "") <body = carried (int64 turn, bool before, float[2] v) => (bool after, float[2] w) {
            after = Identity(before)
            w = Neg(v)
        }>
    })");
    const std::string error = errorOf(
        *session,
        {{"n", Tensor::scalar<int64_t>(2)}, {"more", Tensor::scalar(true)}, {"x", floats({2}, {1, 2})}});
    EXPECT_NE(error.find("value 'v' is absent, expected float[2]"), std::string::npos) << error;
}

TEST(Session, RefusesInputsThatDoNotFit) {
    const auto session = sessionOf("agraph (float[N, 2] x) => (float[N, 2] y) { y = Relu(x) }");
    EXPECT_EQ(errorOf(*session, {{"x", floats({1, 3}, {1, 2, 3})}}),
              "input 'x' was given as float[1, 3], the model declares float[N, 2]");
    EXPECT_EQ(errorOf(*session, {{"x", Tensor::of<int64_t>({1, 2}, {1, 2})}}),
              "input 'x' was given as int64[1, 2], the model declares float[N, 2]");
    EXPECT_EQ(errorOf(*session, {}), "input 'x' (float[N, 2]) was not given");
    EXPECT_EQ(errorOf(*session, {{"z", floats({1}, {1})}}), "the model has no input 'z'; its inputs are: x");
}

TEST(Session, ARunCanBeBoundInMemory) {
    const auto session =
        sessionOf("agraph (int64[1] s) => (float[M] y) { a = ConstantOfShape(s)  y = Relu(a) }");
    const std::string error = errorOf(*session, {{"s", Tensor::of<int64_t>({1}, {int64_t{1} << 30})}},
                                      {.limits = {.memoryBytes = 1 << 20}});
    EXPECT_NE(error.find("bytes that the memory limit leaves (limit-memory)"), std::string::npos) << error;
}

TEST(Session, ARunCanBeBoundInTime) {
    const auto session = sessionOf(
        "agraph (int64 n, bool c, float[1] x) => (float[1] y) { y = Loop(n, c, x) <body = b (int64 i, bool "
        "k, float[1] v) => "
        "(bool k2, float[1] w) { k2 = Identity(k)  w = Neg(v) }> }");
    const std::string error = errorOf(*session,
                                      {{"n", Tensor::scalar<int64_t>(int64_t{1} << 40)},
                                       {"c", Tensor::scalar(true)},
                                       {"x", floats({1}, {1})}},
                                      {.limits = {.seconds = 0.05}});
    EXPECT_NE(error.find("the limit is 0.05 s (limit-seconds)"), std::string::npos) << error;
}

TEST(Session, ANodeCanBeBoundInTime) {
    const auto session = sessionOf(
        "agraph (int64 n, bool c, float[1] x) => (float[1] y) { [slow] y = Loop(n, c, x) <body = b (int64 i, "
        "bool "
        "k, float[1] v) => (bool k2, float[1] w) { k2 = Identity(k)  w = Neg(v) }> }");
    const std::string error = errorOf(*session,
                                      {{"n", Tensor::scalar<int64_t>(int64_t{1} << 40)},
                                       {"c", Tensor::scalar(true)},
                                       {"x", floats({1}, {1})}},
                                      {.limits = {.nodeSeconds = 0.05}});
    EXPECT_NE(error.find("node 'slow' (Loop): "), std::string::npos) << error;
    EXPECT_NE(error.find("the limit is 0.05 s (limit-node-seconds)"), std::string::npos) << error;
}

/// Of 8 elements each: known ahead, known only once the node has run.
constexpr const char* givesEight[] = {
    "agraph (float[8] x) => (float[8] y) { a = Neg(x)  [big] y = Relu(a) }",
    "agraph (float[8] x) => (int64[1, N] y) { [big] y = NonZero(x) }",
};

TEST(Session, ANodeCanBeBoundInElements) {
    for (const char* graph : givesEight) {
        const auto session = sessionOf(graph);
        const Tensor x = floats({8}, {1, 2, 3, 4, 5, 6, 7, 8});
        const std::string error = errorOf(*session, {{"x", x}}, {.limits = {.elements = 7}});
        EXPECT_NE(error.find("node "), std::string::npos) << error;
        EXPECT_NE(error.find("has 8 elements, the limit is 7 (limit-elements)"), std::string::npos) << error;
        EXPECT_EQ(errorOf(*session, {{"x", x}}, {.limits = {.elements = 8}}), "no error");
    }
}

TEST(Session, ANodeCanBeBoundInMemory) {
    for (const char* graph : givesEight) {
        const auto session = sessionOf(graph);
        const Tensor x = floats({8}, {1, 2, 3, 4, 5, 6, 7, 8});
        const std::string error = errorOf(*session, {{"x", x}}, {.limits = {.nodeMemoryBytes = 24}});
        EXPECT_NE(error.find("node "), std::string::npos) << error;
        EXPECT_NE(error.find("(limit-node-memory)"), std::string::npos) << error;
        EXPECT_EQ(errorOf(*session, {{"x", x}}, {.limits = {.nodeMemoryBytes = 64}}), "no error");
    }
}

TEST(Session, RunsRightlyAfterARunThatFailed) {
    for (const auto& providers : {std::vector<std::string>{"cpu"}, {"reference"}}) {
        const auto session = sessionOf(
            "agraph (float[N] x, int64[1] s, int64[1] i) => (float[M] y) { a = Neg(x)  e = Expand(a, s)  "
            "g = Gather(e, i)  y = Add(g, e) }",
            providers);
        const auto inputs = [](int64_t size, int64_t index) -> std::vector<NamedDatum> {
            return {{"x", floats({1}, {2})},
                    {"s", Tensor::of<int64_t>({1}, {size})},
                    {"i", Tensor::of<int64_t>({1}, {index})}};
        };
        const std::vector<float> right{-4, -4, -4};
        EXPECT_EQ(run(*session, inputs(3, 0)), right);
        // A size that no memory holds, one whose bytes overflow, an index that is not there.
        for (const auto& [size, index] :
             {std::pair<int64_t, int64_t>{int64_t{1} << 44, 0}, {INT64_MAX / 2, 0}, {3, 7}, {-1, 0}}) {
            EXPECT_NE(errorOf(*session, inputs(size, index)), "no error") << size;
            EXPECT_EQ(run(*session, inputs(3, 0)), right) << "after " << size;
        }
    }
}

TEST(Session, CanBeCancelled) {
    struct Impatient final : Observer {
        bool cancelled() const override { return true; }
    } impatient;
    const auto session = sessionOf("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    EXPECT_THROW(session->run({{"x", floats({2}, {1, 2})}}, {}, impatient), Cancelled);
}

TEST(Session, ProfileCountsInnerTimeOnce) {
    const auto session = sessionOf(
        "agraph (float[1] x) => (float[1] y) { n = Constant<value_int=50>()  y = Loop(n, , x) <body = b "
        "(int64 i, bool k, "
        "float[1] v) => (bool k2, float[1] w) { k2 = Identity(k)  w = Neg(v) }> }");
    Observer observer;
    const ProfileResult profile =
        engine::profile(*session, {{"x", floats({1}, {1})}}, {.runs = 5, .limits = {}}, observer);
    double shares = 0;
    double innerCalls = 0;
    for (const ProfileRow& row : profile.steps) {
        if (row.info.parent < 0) shares += row.share;
        if (row.info.operatorType.find("Neg") != std::string::npos) innerCalls = row.calls;
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    EXPECT_EQ(innerCalls, 50);
    double typeShares = 0;
    for (const ProfileRow& row : profile.types) typeShares += row.share;
    EXPECT_NEAR(typeShares, 1, 1e-6);
}

TEST(Session, BodiesLayOutConstantsOfTheGraphAroundAsTheirOwn) {
    std::string weights = "0.5";
    for (int i = 1; i < 16 * 16 * 3; ++i) weights += i % 5 == 0 ? ", -1" : ", 0.25";
    const std::string conv = "Conv<pads=[1,1]>(x, w)";
    const std::string model =
        "agraph (float[1,16,32] x, bool c) => (float[1,16,32] y, float[1,16,32] z) <float[16,16,3] w = {" +
        weights + "}> { y = " + conv + "  z = If(c) <then_branch = t () => (float[1,16,32] a) { a = " + conv +
        " }, else_branch = e () => (float[1,16,32] b) { b = Neg(x) }> }";
    const auto session = sessionOf(model);
    std::vector<float> x(16 * 32);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11);
    const std::vector<NamedDatum> inputs = {{"x", Tensor::of<float>({1, 16, 32}, std::span<const float>(x))},
                                            {"c", Tensor::scalar(true)}};
    Observer observer;
    const RunResult result = session->run(inputs, {}, observer);
    const auto outside = result.outputs[0].datum.tensor().values<float>();
    const auto inside = result.outputs[1].datum.tensor().values<float>();
    EXPECT_TRUE(std::equal(outside.begin(), outside.end(), inside.begin(), inside.end()));
    std::vector<std::string> kernels;
    for (const ProfileRow& row :
         engine::profile(*session, inputs, {.runs = 2, .limits = {}}, observer).steps) {
        if (row.info.operatorType == "Conv") kernels.push_back(row.info.kernel);
    }
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0], kernels[1]);
}

TEST(Sweep, MeasuresEveryCellAndExplainsWhatFails) {
    Observer observer;
    const auto model = Model::parse("agraph (float[batch] x) => (float[batch] y) { y = Relu(x) }");
    SweepOptions options;
    options.providers = {{"reference"}};
    options.dims = {{"batch", {1, 2, -3}}};
    options.secondsPerCell = 0.01;
    const std::vector<SweepCell> cells = sweep(model, options, observer);
    ASSERT_EQ(cells.size(), 3U);
    EXPECT_GT(cells[0].latencyNs->median, 0);
    EXPECT_GT(cells[1].latencyNs->median, 0);
    EXPECT_FALSE(cells[2].latencyNs);
    EXPECT_EQ(cells[2].problem, "symbol 'batch' cannot be -3");
}

TEST(Compare, JudgesByElementAndNamesTheWorst) {
    const Difference difference =
        compare(floats({2, 2}, {1, 2, 3, 5}), floats({2, 2}, {1, 2, 3, 4}), 1e-3, 0);
    EXPECT_FALSE(difference.isWithin);
    EXPECT_EQ(difference.index, (Dims{1, 1}));
    EXPECT_EQ(difference.largest, 1);
    EXPECT_TRUE(compare(floats({1}, {NAN}), floats({1}, {NAN}), 0, 0).isWithin);
    EXPECT_FALSE(compare(floats({1}, {NAN}), floats({1}, {1}), 1, 1).isWithin);
    EXPECT_FALSE(compare(floats({1}, {INFINITY}), floats({1}, {1}), 1, 1).isWithin);
    constexpr int64_t largest = std::numeric_limits<int64_t>::max();
    EXPECT_FALSE(
        compare(Tensor::of<int64_t>({1}, {largest}), Tensor::of<int64_t>({1}, {largest - 1}), 0, 0).isWithin);
    const Difference tooLarge = compare(floats({2}, {101, 2}), floats({2}, {100, 1}), 0.1, 0);
    EXPECT_EQ(tooLarge.index, Dims{1});
}

}  // namespace
}  // namespace test
