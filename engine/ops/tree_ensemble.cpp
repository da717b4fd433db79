#include "engine/ops/tree_ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

bool holds(const TreeEnsemble::Node& node, double value) {
    switch (node.test) {
        case TreeTest::atMost:
            return value <= node.value;
        case TreeTest::less:
            return value < node.value;
        case TreeTest::atLeast:
            return value >= node.value;
        case TreeTest::greater:
            return value > node.value;
        case TreeTest::equal:
            return value == node.value;
        case TreeTest::unequal:
            return value != node.value;
        case TreeTest::member:
            return std::binary_search(node.members.begin(), node.members.end(), value);
    }
    return false;
}

const TreeEnsemble::Child& follow(const TreeEnsemble::Node& node, double value) {
    const bool isTrue = std::isnan(value) ? node.missingIsTrue || holds(node, value) : holds(node, value);
    return isTrue ? node.whenTrue : node.whenFalse;
}

}  // namespace

void TreeEnsemble::check(size_t targets) const {
    for (const auto& leaf : leaves) {
        for (const TreeWeight& weight : leaf) {
            if (weight.target >= targets) {
                fail("found a leaf for target ", weight.target, ", expected less than ", targets);
            }
        }
    }
    // Each node may be reached once: then no walk goes in circles.
    std::vector<char> isReached(nodes.size(), 0);
    std::vector<Child> open(roots.begin(), roots.end());
    while (!open.empty()) {
        const Child child = open.back();
        open.pop_back();
        const size_t count = child.isLeaf ? leaves.size() : nodes.size();
        if (child.index >= count) {
            fail("found a branch to ", child.isLeaf ? "leaf " : "node ", child.index, ", there are ", count);
        }
        if (child.isLeaf) continue;
        if (isReached[child.index] != 0) fail("found two branches to node ", child.index, ", expected trees");
        isReached[child.index] = 1;
        open.push_back(nodes[child.index].whenTrue);
        open.push_back(nodes[child.index].whenFalse);
    }
}

size_t TreeEnsemble::features() const {
    size_t count = 0;
    for (const Node& node : nodes) count = std::max(count, node.feature + 1);
    return count;
}

const std::vector<TreeWeight>& TreeEnsemble::leafOf(const Child& root, std::span<const double> sample) const {
    const Child* child = &root;
    while (!child->isLeaf) {
        const Node& node = nodes[child->index];
        child = &follow(node, sample[node.feature]);
    }
    return leaves[child->index];
}

std::vector<double> treeScores(const TreeEnsemble& trees, std::span<const double> sample, size_t targets,
                               TreeAggregate aggregate) {
    std::vector<double> scores(targets, 0);
    std::vector<char> isGiven(targets, 0);
    for (const TreeEnsemble::Child& root : trees.roots) {
        for (const TreeWeight& each : trees.leafOf(root, sample)) {
            double& value = scores[each.target];
            const bool isFirst = isGiven[each.target] == 0;
            if (isFirst) {
                value = each.weight;
            } else if (aggregate == TreeAggregate::least) {
                value = std::min(value, each.weight);
            } else if (aggregate == TreeAggregate::most) {
                value = std::max(value, each.weight);
            } else {
                value += each.weight;
            }
            isGiven[each.target] = 1;
        }
    }
    if (aggregate == TreeAggregate::average) {
        for (double& value : scores) value /= static_cast<double>(trees.roots.size());
    }
    return scores;
}

namespace {

// --- TreeEnsemble: interior nodes and leaves in lists of their own ---

struct Attributes {
    TreeEnsemble trees = {};
    size_t targets = 1;
    TreeAggregate aggregate = TreeAggregate::sum;
    PostTransform transform = PostTransform::none;
};

std::vector<double> requiredNumbers(const AttributeReader& reader, const std::string& name) {
    const auto tensor = reader.maybeTensor(name);
    if (!tensor) fail(name, " is missing");
    return tensor->toDouble();
}

std::vector<int64_t> integersPerNode(const AttributeReader& reader, const std::string& name, size_t count) {
    std::vector<int64_t> values = reader.integers(name);
    if (values.size() != count) fail(name, ": found ", values.size(), " values, expected ", count);
    if (std::any_of(values.begin(), values.end(), [](int64_t value) { return value < 0; })) {
        fail(name, ": found a negative number");
    }
    return values;
}

void readNodes(const AttributeReader& reader, TreeEnsemble& trees) {
    const std::vector<double> modes = requiredNumbers(reader, "nodes_modes");
    const std::vector<double> splits = requiredNumbers(reader, "nodes_splits");
    const size_t count = modes.size();
    if (splits.size() != count) fail("nodes_splits: found ", splits.size(), " values, expected ", count);
    const auto features = integersPerNode(reader, "nodes_featureids", count);
    const auto trueIds = integersPerNode(reader, "nodes_truenodeids", count);
    const auto falseIds = integersPerNode(reader, "nodes_falsenodeids", count);
    const auto trueLeaves = integersPerNode(reader, "nodes_trueleafs", count);
    const auto falseLeaves = integersPerNode(reader, "nodes_falseleafs", count);
    const std::vector<int64_t> missing = reader.integers("nodes_missing_value_tracks_true");
    if (!missing.empty() && missing.size() != count) {
        fail("nodes_missing_value_tracks_true: found ", missing.size(), " values, expected ", count);
    }
    std::vector<double> members;
    if (const auto tensor = reader.maybeTensor("membership_values")) members = tensor->toDouble();
    auto member = members.begin();
    for (size_t i = 0; i < count; ++i) {
        if (!(modes[i] >= 0 && modes[i] <= 6)) fail("nodes_modes: found ", modes[i], ", expected 0 to 6");
        TreeEnsemble::Node node{
            .test = static_cast<TreeTest>(static_cast<int>(modes[i])),
            .feature = static_cast<size_t>(features[i]),
            .value = splits[i],
            .missingIsTrue = !missing.empty() && missing[i] != 0,
            .whenTrue = {.isLeaf = trueLeaves[i] != 0, .index = static_cast<size_t>(trueIds[i])},
            .whenFalse = {.isLeaf = falseLeaves[i] != 0, .index = static_cast<size_t>(falseIds[i])}};
        if (node.test == TreeTest::member) {
            const auto end =
                std::find_if(member, members.end(), [](double value) { return std::isnan(value); });
            if (end == members.end()) fail("membership_values: found no NaN after the members of node ", i);
            node.members.assign(member, end);
            std::sort(node.members.begin(), node.members.end());
            member = end + 1;
        }
        trees.nodes.push_back(std::move(node));
    }
}

Attributes parse(const AttributeReader& reader) {
    Attributes attributes;
    const int64_t targets = reader.integer("n_targets", 1);
    const int64_t aggregate = reader.integer("aggregate_function", 1);
    const int64_t transform = reader.integer("post_transform", 0);
    if (targets < 1) fail("n_targets: found ", targets, ", expected at least 1");
    if (aggregate < 0 || aggregate > 3) fail("aggregate_function: found ", aggregate, ", expected 0 to 3");
    if (transform < 0 || transform > 4) fail("post_transform: found ", transform, ", expected 0 to 4");
    attributes.targets = static_cast<size_t>(targets);
    attributes.aggregate = static_cast<TreeAggregate>(aggregate);
    attributes.transform = static_cast<PostTransform>(transform);
    readNodes(reader, attributes.trees);
    const std::vector<double> weights = requiredNumbers(reader, "leaf_weights");
    const auto leafTargets = integersPerNode(reader, "leaf_targetids", weights.size());
    for (size_t i = 0; i < weights.size(); ++i) {
        attributes.trees.leaves.push_back({{static_cast<size_t>(leafTargets[i]), weights[i]}});
    }
    for (const int64_t root : reader.integers("tree_roots")) {
        attributes.trees.roots.push_back({.index = static_cast<size_t>(root)});
    }
    attributes.trees.check(attributes.targets);
    return attributes;
}

void infer(InferContext& context) {
    context.checkRank(0, 2, "X");
    const Shape* input = context.inputShape(0);
    context.setOutput(0, context.inputElement(0),
                      {input != nullptr ? (*input)[0] : Dim(),
                       static_cast<int64_t>(context.attributes<Attributes>().targets)});
}

Work work(const WorkContext& context) {
    const auto& trees = context.attributes<Attributes>().trees;
    return {.otherFlops = context.inputDim(0, 0) * Dim(static_cast<int64_t>(trees.roots.size()))};
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRank(context.input(0), 2, "X");
    const Samples samples = readSamples(context);
    if (static_cast<size_t>(samples.features) < attributes.trees.features()) {
        fail("X: found ", samples.features, " features, the trees ask for ", attributes.trees.features());
    }
    Tensor& output = context.output(0, {samples.rows, static_cast<int64_t>(attributes.targets)});
    dispatchFloat(output.type(), [&]<typename T>(std::type_identity<T>) {
        auto to = output.mutableValues<T>().begin();
        Pace pace(context);
        for (int64_t row = 0; row < samples.rows; ++row) {
            std::vector<double> scores =
                treeScores(attributes.trees, samples.row(row), attributes.targets, attributes.aggregate);
            transformScores(scores, attributes.transform);
            for (const double score : scores) *to++ = static_cast<T>(score);
            pace.spend(16 * static_cast<int64_t>(attributes.trees.roots.size()));
        }
    });
}

const OpDef treeEnsemble{
    .name = "TreeEnsemble",
    .sinceVersion = 5,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = mlDomain,
};
const Register<OpDef> registered{treeEnsemble};

}  // namespace
}  // namespace engine
