#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/report/json.h"
#include "engine/session.h"

namespace cli {
namespace {

void printText(const std::vector<engine::ProviderInfo>& all) {
    TextTable table({{"provider"}, {"device"}, {"state"}});
    for (const engine::ProviderInfo& each : all) {
        table.add({each.name, each.device,
                   each.whyUnavailable.empty() ? "available" : "not available: " + each.whyUnavailable});
    }
    std::cout << table.text();
}

engine::Json toJson(const std::vector<engine::ProviderInfo>& all) {
    engine::Json list = engine::Json::array();
    for (const engine::ProviderInfo& each : all) {
        engine::Json entry = {
            {"name", each.name}, {"device", each.device}, {"is_available", each.whyUnavailable.empty()}};
        if (!each.whyUnavailable.empty()) entry["why_unavailable"] = each.whyUnavailable;
        list.push_back(std::move(entry));
    }
    return {{"schema", 1}, {"providers", std::move(list)}};
}

}  // namespace

Action providers(CLI::App& options) {
    const auto isJson = std::make_shared<bool>(false);
    options.add_flag("--json", *isJson, "Print JSON");
    return [isJson](Terminal&) {
        const std::vector<engine::ProviderInfo> all = engine::availableProviders();
        if (*isJson) {
            std::cout << engine::dump(toJson(all)) << '\n';
        } else {
            printText(all);
        }
        return done;
    };
}

}  // namespace cli
