#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/session.h"

namespace engine {

/// An input that the measured runs got.
struct ReportInput {
    std::string name = {};
    std::string type = {};
    std::string source = {};  ///< the file, or "made up, seed 0"
};

/// What a report tells besides session and profile.
struct ReportOptions {
    std::vector<ReportInput> inputs = {};
    std::string command = {};  ///< that makes such a report again; may be empty
    size_t mostBoxes = 400;    ///< of the graph's picture
};

/// The report as one HTML page that needs nothing else: picture of the optimised graph, tables, plots, and
/// the figures as JSON inside. The same arguments give the same page.
std::string renderHtml(const Session& session, const ProfileResult& profile, const ReportOptions& options);

/// A short form for a ticket: key figures and tables in Markdown.
std::string renderMarkdown(const Session& session, const ProfileResult& profile,
                           const ReportOptions& options);

/// The steps, a line each; units in the header.
std::string renderCsv(const ProfileResult& profile);

/// The kinds of file that saveReport writes: ".html", ".md", ".csv", ".json".
const std::vector<std::string>& reportExtensions();

/// Writes the report in the form that the file's extension names, whole or not at all. Throws Error for
/// another extension.
void saveReport(const std::filesystem::path& path, const Session& session, const ProfileResult& profile,
                const ReportOptions& options);

}  // namespace engine
