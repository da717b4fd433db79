#pragma once

#include <array>
#include <optional>

#include <QString>

namespace app {

/// The three ways to look at a document.
enum class Workspace : uint8_t { graph, profile, compare };

struct WorkspaceInfo {
    Workspace workspace;
    const char* id;
    const char* title;
};

inline constexpr std::array workspaces{WorkspaceInfo{Workspace::graph, "graph", "Graph"},
                                       WorkspaceInfo{Workspace::profile, "profile", "Profile"},
                                       WorkspaceInfo{Workspace::compare, "compare", "Compare"}};

inline std::optional<Workspace> workspaceNamed(const QString& id) {
    for (const WorkspaceInfo& info : workspaces) {
        if (id == info.id) return info.workspace;
    }
    return std::nullopt;
}

}  // namespace app
