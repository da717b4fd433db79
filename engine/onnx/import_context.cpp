#include "engine/onnx/import_context.h"

#include "engine/core/text.h"

namespace engine::onnx {

namespace {
constexpr size_t mostFindings = 500;
}

void Findings::add(Diagnostic::Severity severity, std::string message, const std::string& place,
                   std::optional<uint64_t> byteOffset) {
    if (into_.size() >= mostFindings) {
        ++leftOut_;
        return;
    }
    std::vector<std::string> parts = places_;
    if (!place.empty()) parts.push_back(place);
    into_.push_back({.severity = severity,
                     .message = std::move(message),
                     .place = join(parts, " / "),
                     .byteOffset = byteOffset});
}

void Findings::close() {
    if (leftOut_ == 0) return;
    into_.push_back({.severity = Diagnostic::Severity::warning,
                     .message = text(leftOut_, " more faults were found in this file")});
    leftOut_ = 0;
}

std::string normalDomain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Metadata importMetadata(const google::protobuf::RepeatedPtrField<proto::StringStringEntryProto>& entries) {
    Metadata metadata;
    for (const proto::StringStringEntryProto& entry : entries)
        metadata.emplace_back(entry.key(), entry.value());
    return metadata;
}

}  // namespace engine::onnx
