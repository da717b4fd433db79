#include "views/graph/grouping.h"

#include <algorithm>
#include <set>

#include <QHash>

#include "views/format.h"

namespace views {

namespace {

/// A scope that names spell out.
struct Scope {
    QString title;
    QString path;
    std::map<QString, std::unique_ptr<Scope>> children;
    std::vector<int> nodes;  ///< directly in it

    size_t total() const {
        size_t sum = nodes.size();
        for (const auto& [name, child] : children) sum += child->total();
        return sum;
    }
};

constexpr qsizetype mostScopes = 32;  // a name may spell out any number of scopes

QStringList scopesOf(const Scene& scene, const SceneNode& node) {
    if (node.kind != SceneNode::Kind::operation) return {};
    QStringList parts = qstring(scene.place.graph->node(node.node).name).split('/', Qt::SkipEmptyParts);
    if (!parts.isEmpty()) parts.removeLast();
    return parts.first(std::min(parts.size(), mostScopes));
}

std::unique_ptr<Scope> scopeTree(const Scene& scene) {
    auto root = std::make_unique<Scope>();
    for (size_t index = 0; index < scene.nodes.size(); ++index) {
        Scope* scope = root.get();
        for (const QString& part : scopesOf(scene, scene.nodes[index])) {
            std::unique_ptr<Scope>& child = scope->children[part];
            if (!child) {
                child = std::make_unique<Scope>();
                child->title = part;
                child->path = scope->path + '/' + part;
            }
            scope = child.get();
        }
        scope->nodes.push_back(static_cast<int>(index));
    }
    return root;
}

/// Dissolves scopes of one node and joins scopes that only hold one other.
void simplify(Scope& scope) {
    for (auto child = scope.children.begin(); child != scope.children.end();) {
        simplify(*child->second);
        if (child->second->total() < 2) {
            const std::vector<int>& nodes = child->second->nodes;
            scope.nodes.insert(scope.nodes.end(), nodes.begin(), nodes.end());
            child = scope.children.erase(child);
        } else {
            ++child;
        }
    }
    if (scope.path.isEmpty() || !scope.nodes.empty() || scope.children.size() != 1) return;
    std::unique_ptr<Scope> only = std::move(scope.children.begin()->second);
    const QString title = scope.title + " / " + only->title;
    scope = std::move(*only);
    scope.title = title;
}

/// A scope around everything says nothing.
void dropOutermost(Scope& root, size_t operations) {
    while (root.children.size() == 1 && root.children.begin()->second->total() == operations) {
        std::unique_ptr<Scope> only = std::move(root.children.begin()->second);
        root.children = std::move(only->children);
        root.nodes.insert(root.nodes.end(), only->nodes.begin(), only->nodes.end());
    }
}

std::vector<int> write(Scene& scene, const Scope& scope, int parent) {
    std::vector<int> all = scope.nodes;
    const auto self = static_cast<int>(scene.groups.size());
    scene.groups.push_back({.parent = parent, .title = scope.title, .path = scope.path});
    for (const int node : scope.nodes) scene.nodes[static_cast<size_t>(node)].group = self;
    for (const auto& [name, child] : scope.children) {
        const std::vector<int> inside = write(scene, *child, self);
        all.insert(all.end(), inside.begin(), inside.end());
    }
    std::sort(all.begin(), all.end());
    scene.groups[static_cast<size_t>(self)].nodes = all;
    return all;
}

/// The operators in it, in order: groups with equal ones are built the same.
QString signature(const Scene& scene, const SceneGroup& group) {
    QString result;
    for (const int node : group.nodes) result += scene.nodes[static_cast<size_t>(node)].title + ';';
    return result;
}

/// Counts among the groups of one parent only: any two of thousands may happen to be alike.
void countRepeats(Scene& scene) {
    QHash<QString, int> counts;
    std::vector<QString> signatures;
    for (const SceneGroup& group : scene.groups) {
        signatures.push_back(QString::number(group.parent) + ':' + signature(scene, group));
        ++counts[signatures.back()];
    }
    for (size_t index = 0; index < scene.groups.size(); ++index) {
        scene.groups[index].repeats = counts[signatures[index]];
    }
}

size_t visibleCount(const Scene& scene) {
    size_t count = 0;
    std::set<int> closed;
    for (size_t index = 0; index < scene.nodes.size(); ++index) {
        const int group = scene.hiddenBy(static_cast<int>(index));
        if (group < 0 || closed.insert(group).second) ++count;
    }
    return count;
}

int depthOf(const Scene& scene, int group) {
    int depth = 0;
    for (int up = scene.groups[static_cast<size_t>(group)].parent; up >= 0;
         up = scene.groups[static_cast<size_t>(up)].parent) {
        ++depth;
    }
    return depth;
}

/// Opens level after level, as long as not too much is to be seen at once.
void choose(Scene& scene, const SceneOptions& options) {
    for (SceneGroup& group : scene.groups) group.isCollapsed = true;
    int deepest = -1;
    for (size_t index = 0; index < scene.groups.size(); ++index) {
        deepest = std::max(deepest, depthOf(scene, static_cast<int>(index)));
    }
    for (int depth = 0; depth <= deepest; ++depth) {
        const std::vector<SceneGroup> before = scene.groups;
        for (size_t index = 0; index < scene.groups.size(); ++index) {
            if (depthOf(scene, static_cast<int>(index)) == depth) scene.groups[index].isCollapsed = false;
        }
        if (visibleCount(scene) > options.mostVisible) {
            scene.groups = before;
            break;
        }
    }
    for (SceneGroup& group : scene.groups) {
        const auto chosen = options.isCollapsed.find(group.path);
        if (chosen != options.isCollapsed.end()) group.isCollapsed = chosen->second;
    }
}

}  // namespace

void addGroups(Scene& scene, const SceneOptions& options) {
    const std::unique_ptr<Scope> root = scopeTree(scene);
    const auto operations =
        static_cast<size_t>(std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const SceneNode& node) {
            return node.kind == SceneNode::Kind::operation;
        }));
    simplify(*root);
    dropOutermost(*root, operations);
    for (const auto& [name, child] : root->children) write(scene, *child, -1);
    countRepeats(scene);
    choose(scene, options);
}

}  // namespace views
