// TreeEnsembleRegressor and TreeEnsembleClassifier, which list interior nodes and leaves together, by tree
// and number, and the weights of the leaves in lists of their own.

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/tree_ensemble.h"

namespace engine {

std::vector<double> numbersOrTensor(const AttributeReader& reader, const std::string& name) {
    if (const auto tensor = reader.maybeTensor(name + "_as_tensor")) return tensor->toDouble();
    const std::vector<float> numbers = reader.numbers(name);
    return {numbers.begin(), numbers.end()};
}

namespace {

template <class T>
const std::vector<T>& checkedList(const std::vector<T>& list, const std::string& name, size_t count) {
    if (list.size() != count) fail(name, ": found ", list.size(), " values, expected ", count);
    return list;
}

/// A leaf has no test.
std::optional<TreeTest> testNamed(const std::string& name) {
    if (name == "LEAF") return std::nullopt;
    if (name == "BRANCH_LEQ") return TreeTest::atMost;
    if (name == "BRANCH_LT") return TreeTest::less;
    if (name == "BRANCH_GTE") return TreeTest::atLeast;
    if (name == "BRANCH_GT") return TreeTest::greater;
    if (name == "BRANCH_EQ") return TreeTest::equal;
    if (name == "BRANCH_NEQ") return TreeTest::unequal;
    fail("nodes_modes: found '", name, "', expected LEAF or BRANCH_ with LEQ, LT, GTE, GT, EQ or NEQ");
}

using Name = std::pair<int64_t, int64_t>;  ///< of a node: tree and number

/// The lists of nodes, and how names become places in a TreeEnsemble.
class Listing {
public:
    explicit Listing(const AttributeReader& reader)
        : trees_(reader.integers("nodes_treeids")),
          numbers_(checkedList(reader.integers("nodes_nodeids"), "nodes_nodeids", trees_.size())),
          features_(checkedList(reader.integers("nodes_featureids"), "nodes_featureids", trees_.size())),
          whenTrue_(checkedList(reader.integers("nodes_truenodeids"), "nodes_truenodeids", trees_.size())),
          whenFalse_(checkedList(reader.integers("nodes_falsenodeids"), "nodes_falsenodeids", trees_.size())),
          missing_(reader.integers("nodes_missing_value_tracks_true")),
          values_(checkedList(numbersOrTensor(reader, "nodes_values"), "nodes_values", trees_.size())) {
        const std::vector<std::string> modes = reader.strings("nodes_modes");
        checkedList(modes, "nodes_modes", trees_.size());
        if (!missing_.empty()) {
            checkedList(missing_, "nodes_missing_value_tracks_true", trees_.size());
        }
        size_t interior = 0;
        size_t leaves = 0;
        for (size_t i = 0; i < trees_.size(); ++i) {
            tests_.push_back(testNamed(modes[i]));
            const TreeEnsemble::Child place{.isLeaf = !tests_[i], .index = tests_[i] ? interior++ : leaves++};
            if (!places_.emplace(Name{trees_[i], numbers_[i]}, place).second) {
                fail("found node ", numbers_[i], " of tree ", trees_[i], " twice");
            }
        }
        leafCount_ = leaves;
    }

    TreeEnsemble build() const {
        TreeEnsemble ensemble;
        std::set<int64_t> begun;
        for (size_t i = 0; i < trees_.size(); ++i) {
            if (begun.insert(trees_[i]).second) ensemble.roots.push_back(place({trees_[i], numbers_[i]}));
            if (!tests_[i]) continue;
            if (features_[i] < 0) fail("nodes_featureids: found ", features_[i], ", expected at least 0");
            ensemble.nodes.push_back({.test = *tests_[i],
                                      .feature = static_cast<size_t>(features_[i]),
                                      .value = values_[i],
                                      .missingIsTrue = !missing_.empty() && missing_[i] != 0,
                                      .whenTrue = place({trees_[i], whenTrue_[i]}),
                                      .whenFalse = place({trees_[i], whenFalse_[i]})});
        }
        ensemble.leaves.resize(leafCount_);
        return ensemble;
    }

    TreeEnsemble::Child place(const Name& name) const {
        const auto found = places_.find(name);
        if (found == places_.end()) fail("tree ", name.first, " has no node ", name.second);
        return found->second;
    }

private:
    std::vector<int64_t> trees_;
    std::vector<int64_t> numbers_;
    std::vector<int64_t> features_;
    std::vector<int64_t> whenTrue_;
    std::vector<int64_t> whenFalse_;
    std::vector<int64_t> missing_;
    std::vector<double> values_;
    std::vector<std::optional<TreeTest>> tests_;
    std::map<Name, TreeEnsemble::Child> places_;
    size_t leafCount_ = 0;
};

void checkFeatures(const TreeEnsemble& trees, const Samples& samples) {
    if (static_cast<size_t>(samples.features) >= trees.features()) return;
    fail("X: found ", samples.features, " features, the trees ask for ", trees.features());
}

}  // namespace

TreeEnsemble readListedTrees(const AttributeReader& reader, const std::string& prefix) {
    const Listing listing(reader);
    TreeEnsemble ensemble = listing.build();
    const std::vector<int64_t> trees = reader.integers(prefix + "_treeids");
    const std::vector<int64_t> numbers = reader.integers(prefix + "_nodeids");
    const std::vector<int64_t> targets = reader.integers(prefix + "_ids");
    const std::vector<double> weights = numbersOrTensor(reader, prefix + "_weights");
    checkedList(numbers, prefix + "_nodeids", trees.size());
    checkedList(targets, prefix + "_ids", trees.size());
    checkedList(weights, prefix + "_weights", trees.size());
    for (size_t i = 0; i < trees.size(); ++i) {
        const TreeEnsemble::Child place = listing.place({trees[i], numbers[i]});
        // Weights of interior nodes mean nothing.
        if (!place.isLeaf) continue;
        if (targets[i] < 0) fail(prefix, "_ids: found ", targets[i], ", expected at least 0");
        ensemble.leaves[place.index].push_back({static_cast<size_t>(targets[i]), weights[i]});
    }
    return ensemble;
}

namespace {

// --- TreeEnsembleRegressor ---

struct Regressor {
    TreeEnsemble trees = {};
    size_t targets = 1;
    std::vector<double> base = {};
    TreeAggregate aggregate = TreeAggregate::sum;
    PostTransform transform = PostTransform::none;
};

Regressor parseRegressor(const AttributeReader& reader) {
    const std::string aggregate =
        reader.choice("aggregate_function", "SUM", {"SUM", "AVERAGE", "MIN", "MAX"});
    Regressor model{.trees = readListedTrees(reader, "target"),
                    .base = numbersOrTensor(reader, "base_values"),
                    .aggregate = aggregate == "SUM"       ? TreeAggregate::sum
                                 : aggregate == "AVERAGE" ? TreeAggregate::average
                                 : aggregate == "MIN"     ? TreeAggregate::least
                                                          : TreeAggregate::most,
                    .transform = readPostTransform(reader)};
    const int64_t targets = reader.integer("n_targets", 1);
    if (targets < 1) fail("n_targets: found ", targets, ", expected at least 1");
    model.targets = static_cast<size_t>(targets);
    if (!model.base.empty()) checkedList(model.base, "base_values", model.targets);
    model.trees.check(model.targets);
    return model;
}

void inferTreeRegressor(InferContext& context) {
    inferRegressor(context, static_cast<int64_t>(context.attributes<Regressor>().targets));
}

template <class Attributes>
Work work(const WorkContext& context) {
    const auto& trees = context.attributes<Attributes>().trees;
    return {.otherFlops = context.outputDim(0, 0) * Dim(static_cast<int64_t>(trees.roots.size()))};
}

void runRegressor(KernelContext& context) {
    const auto& model = context.attributes<Regressor>();
    const Samples samples = readSamples(context);
    checkFeatures(model.trees, samples);
    auto to =
        context.output(0, {samples.rows, static_cast<int64_t>(model.targets)}).mutableValues<float>().begin();
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        std::vector<double> scores =
            treeScores(model.trees, samples.row(row), model.targets, model.aggregate);
        for (size_t i = 0; i < model.base.size(); ++i) scores[i] += model.base[i];
        transformScores(scores, model.transform);
        for (const double score : scores) *to++ = static_cast<float>(score);
        pace.spend(16 * static_cast<int64_t>(model.trees.roots.size()));
    }
}

// --- TreeEnsembleClassifier ---

struct Classifier {
    TreeEnsemble trees = {};
    ClassLabels labels = {};
    std::vector<double> base = {};
    PostTransform transform = PostTransform::none;
    std::optional<size_t> onlyClass = {};  ///< the class that all weights are for, of two
    bool hasNegativeWeights = false;

    bool isBinary() const { return onlyClass.has_value() && labels.count() == 2; }
};

Classifier parseClassifier(const AttributeReader& reader) {
    Classifier model{.trees = readListedTrees(reader, "class"),
                     .labels = readClassLabels(reader, "classlabels_int64s", "classlabels_strings"),
                     .base = numbersOrTensor(reader, "base_values"),
                     .transform = readPostTransform(reader)};
    model.trees.check(model.labels.count());
    std::set<size_t> classes;
    for (const auto& leaf : model.trees.leaves) {
        for (const TreeWeight& weight : leaf) {
            classes.insert(weight.target);
            model.hasNegativeWeights = model.hasNegativeWeights || weight.weight < 0;
        }
    }
    if (classes.size() == 1) model.onlyClass = *classes.begin();
    const bool mayHaveOneBase = model.isBinary() && model.base.size() == 1;
    if (!model.base.empty() && !mayHaveOneBase) checkedList(model.base, "base_values", model.labels.count());
    return model;
}

void inferTreeClassifier(InferContext& context) {
    const auto& model = context.attributes<Classifier>();
    inferClassifier(context, model.labels, static_cast<int64_t>(model.labels.count()));
}

Verdict judge(const Classifier& model, std::span<const double> sample) {
    std::vector<double> scores = treeScores(model.trees, sample, model.labels.count(), TreeAggregate::sum);
    if (model.isBinary()) {
        double score = scores[*model.onlyClass];
        if (!model.base.empty())
            score += model.base.size() == 1 ? model.base[0] : model.base[*model.onlyClass];
        return binaryVerdict(score, !model.hasNegativeWeights, model.transform);
    }
    for (size_t i = 0; i < model.base.size(); ++i) scores[i] += model.base[i];
    const auto best = std::max_element(scores.begin(), scores.end());
    Verdict verdict{.label = static_cast<size_t>(best - scores.begin())};
    transformScores(scores, model.transform);
    verdict.scores = std::move(scores);
    return verdict;
}

void runClassifier(KernelContext& context) {
    const auto& model = context.attributes<Classifier>();
    const Samples samples = readSamples(context);
    checkFeatures(model.trees, samples);
    std::vector<Verdict> verdicts;
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        verdicts.push_back(judge(model, samples.row(row)));
        pace.spend(16 * static_cast<int64_t>(model.trees.roots.size()));
    }
    setVerdicts(context, model.labels, verdicts, static_cast<int64_t>(model.labels.count()));
}

const OpDef table[] = {
    {.name = "TreeEnsembleRegressor",
     .sinceVersion = 1,
     .attributes = parsed<parseRegressor>,
     .infer = inferTreeRegressor,
     .work = work<Regressor>,
     .reference = runRegressor,
     .domain = mlDomain},
    {.name = "TreeEnsembleClassifier",
     .sinceVersion = 1,
     .attributes = parsed<parseClassifier>,
     .infer = inferTreeClassifier,
     .work = work<Classifier>,
     .reference = runClassifier,
     .domain = mlDomain},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
