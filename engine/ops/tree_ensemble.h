#pragma once

#include <span>
#include <vector>

#include "engine/ops/attribute_reader.h"

namespace engine {

/// How a node of a decision tree looks at its feature.
enum class TreeTest : uint8_t { atMost, less, atLeast, greater, equal, unequal, member };

/// What a leaf adds to a target.
struct TreeWeight {
    size_t target = 0;
    double weight = 0;
};

/// Decision trees, whose nodes are numbered through. Checked when made: walks end, numbers are in range.
struct TreeEnsemble {
    struct Child {
        bool isLeaf = false;
        size_t index = 0;
    };
    struct Node {
        TreeTest test = TreeTest::atMost;
        size_t feature = 0;
        double value = 0;
        std::vector<double> members = {};  ///< sorted, of member tests
        bool missingIsTrue = false;
        Child whenTrue = {};
        Child whenFalse = {};
    };
    std::vector<Node> nodes = {};
    std::vector<std::vector<TreeWeight>> leaves = {};
    std::vector<Child> roots = {};

    /// Throws Error unless every walk ends in a leaf and all targets are less than `targets`.
    void check(size_t targets) const;
    /// The largest feature asked for, plus 1.
    size_t features() const;
    const std::vector<TreeWeight>& leafOf(const Child& root, std::span<const double> sample) const;
};

/// How the weights of all trees become one score.
enum class TreeAggregate : uint8_t { average, sum, least, most };

/// The scores of all targets for one sample. A target that no leaf names stays 0.
std::vector<double> treeScores(const TreeEnsemble& trees, std::span<const double> sample, size_t targets,
                               TreeAggregate aggregate);

/// The trees as the attributes of TreeEnsembleRegressor and TreeEnsembleClassifier list them; the lists of
/// leaf weights begin with `prefix`: "target" or "class".
TreeEnsemble readListedTrees(const AttributeReader& reader, const std::string& prefix);

/// A list of numbers, given as floats or, by the name with "_as_tensor" behind it, as a tensor.
std::vector<double> numbersOrTensor(const AttributeReader& reader, const std::string& name);

}  // namespace engine
