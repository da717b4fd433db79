#include "engine/report/report.h"

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/report/profile_json.h"

namespace engine {

const std::vector<std::string>& reportExtensions() {
    static const std::vector<std::string> extensions = {".html", ".md", ".csv", ".json"};
    return extensions;
}

void saveReport(const std::filesystem::path& path, const Session& session, const ProfileResult& profile,
                const ReportOptions& options) {
    const std::string extension = path.extension().string();
    std::string content;
    if (extension == ".html") {
        content = renderHtml(session, profile, options);
    } else if (extension == ".md") {
        content = renderMarkdown(session, profile, options);
    } else if (extension == ".csv") {
        content = renderCsv(profile);
    } else if (extension == ".json") {
        Json json = {{"schema", 1}, {"model", session.model().path.string()}};
        json.update(profileJson(session, profile));
        content = dump(json) + "\n";
    } else {
        fail(path.string(), ": cannot tell what kind of report to write, expected a name that ends in ",
             join(reportExtensions(), ", "));
    }
    AtomicFile file(path);
    file.write(content);
    file.commit();
}

}  // namespace engine
