#include "engine/onnx/wire_skim.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/onnx/wire.h"

namespace engine::onnx {
namespace {

constexpr size_t faultsKept = 20;
constexpr size_t shownPlaces = 5;  // at either end of a path
// A part costs protobuf some 100 bytes and more of memory however short it is in the file.
constexpr size_t mostParts = 4'000'000;
constexpr size_t mostRestBytes = size_t{1} << 30;

/// One pass over the bytes. Sub-messages are written with a length of 5 bytes that is filled in afterwards.
class Skimmer {
public:
    Skimmer(std::span<const std::byte> bytes, Observer& observer, const OpenLimits& limits)
        : bytes_(bytes), observer_(observer), limits_(limits) {}

    Skim run(Message root) {
        message(root, 0, bytes_.size(), 0);
        return std::move(result_);
    }

private:
    struct Place {
        const char* field;
        uint64_t start;
    };

    void message(Message kind, uint64_t begin, uint64_t end, int depth);
    void walk(Message kind, uint64_t begin, uint64_t end, int depth);
    void field(Message kind, const WireField& field, int depth);
    void nested(const FieldRule& rule, const WireField& field, int depth);
    void payload(const FieldRule& rule, const WireField& field);
    bool hasSoundNumbers(const FieldRule& rule, const WireField& field, uint64_t& count) const;
    void countPart(const FieldRule& rule);

    void copy(const WireField& field) {
        append(field.start, field.end);
        if (result_.rest.size() > mostRestBytes) {
            fail("the model has more than ", mostRestBytes, " bytes beside its tensors' elements");
        }
    }
    void append(uint64_t begin, uint64_t end) {
        result_.rest.append(reinterpret_cast<const char*>(bytes_.data()) + begin, end - begin);
    }
    void fault(uint64_t offset, std::string what);
    void cutOff(const WireField& field);

    std::span<const std::byte> bytes_;
    Observer& observer_;
    const OpenLimits& limits_;
    Skim result_;
    std::vector<Place> path_;
    size_t parts_ = 0;
    std::array<size_t, 32> partsOfKind_{};
    bool isCutOff_ = false;
    bool isFull_ = false;
};

void Skimmer::fault(uint64_t offset, std::string what) {
    ++result_.faultCount;
    if (result_.faults.size() >= faultsKept) return;
    std::string where;
    for (size_t i = 0; i < path_.size(); ++i) {
        if (!where.empty()) where += ".";
        if (path_.size() > 2 * shownPlaces && i == shownPlaces) {
            i = path_.size() - shownPlaces;
            where += "….";
        }
        where += path_[i].field;
    }
    result_.faults.push_back({offset, std::move(where), std::move(what)});
}

void Skimmer::cutOff(const WireField& field) {
    if (field.end == bytes_.size()) {
        // All the messages that reach to the end of the file are cut by the same fault.
        if (!isCutOff_) {
            fault(bytes_.size(), text("the file ends here, but the part that begins at byte ", field.start,
                                      " should reach to byte ", field.content, " + ", field.declaredLength));
        }
        isCutOff_ = true;
        return;
    }
    fault(field.start, text("this part says it is ", field.declaredLength, " bytes long, but only ",
                            field.end - field.content, " are left of the one around it"));
}

/// Whether a message of that kind becomes some kilobyte of what is shown and calculated with.
bool isWeighty(Message kind) {
    switch (kind) {
        case Message::graph:
        case Message::function:
        case Message::node:
        case Message::tensor:
        case Message::valueInfo:
        case Message::operatorSet:
        case Message::trainingInfo:
            return true;
        default:
            return false;
    }
}

void Skimmer::countPart(const FieldRule& rule) {
    if (++parts_ % 4096 == 0) observer_.checkpoint();
    if (isFull_) return;
    const size_t ofItsKind = ++partsOfKind_[static_cast<size_t>(rule.child)];
    const bool isTooMany = isWeighty(rule.child) && ofItsKind > limits_.parts;
    if (parts_ <= mostParts && !isTooMany) return;
    const uint64_t place = path_.empty() ? 0 : path_.back().start;
    if (isTooMany) {
        fault(place, text("the file has more than ", limits_.parts,
                          " parts of this kind (limit-parts); the rest is not read"));
    } else {
        fault(place, text("the model has more than ", mostParts, " parts; the rest is not read"));
    }
    isFull_ = true;
}

void Skimmer::message(Message kind, uint64_t begin, uint64_t end, int depth) {
    if (kind != Message::tensor) return walk(kind, begin, end, depth);
    // Tensors hold no tensors, so there is only one at a time.
    const size_t index = result_.payloads.size();
    result_.payloads.push_back({.begin = begin, .end = end});
    walk(kind, begin, end, depth);
    const char marker[] = {(9 << 3) | 2,
                           4,
                           static_cast<char>(index),
                           static_cast<char>(index >> 8),
                           static_cast<char>(index >> 16),
                           static_cast<char>(index >> 24)};
    result_.rest.append(marker, sizeof marker);
}

void Skimmer::walk(Message kind, uint64_t begin, uint64_t end, int depth) {
    uint64_t position = begin;
    while (position < end && !isFull_) {
        const std::optional<WireField> next = readField(bytes_, position, end);
        if (!next) {
            if (end == bytes_.size() && isCutOff_) return;
            fault(position, "found bytes that are no field of a protobuf message");
            return;
        }
        field(kind, *next, depth);
        position = next->end;
    }
}

void Skimmer::field(Message kind, const WireField& field, int depth) {
    const FieldRule* rule = findField(kind, field.number);
    if (field.isCut()) cutOff(field);
    if (rule == nullptr) {
        ++result_.unknownFields;
        return;
    }
    path_.push_back({rule->name, field.start});
    const bool isBytes = field.type == WireType::bytes;
    uint64_t count = 0;
    switch (rule->kind) {
        case FieldKind::message:
            if (isBytes) {
                nested(*rule, field, depth);
            } else {
                fault(field.start, "found a number, expected a message");
            }
            break;
        case FieldKind::string:
            if (!isBytes) {
                fault(field.start, "found a number, expected a string");
            } else if (!field.isCut()) {
                copy(field);
            }
            break;
        case FieldKind::integer:
        case FieldKind::float32:
            if (field.isCut()) break;
            if (hasSoundNumbers(*rule, field, count)) {
                copy(field);
            } else {
                fault(field.start, "found bytes that are not the numbers expected");
            }
            break;
        default:
            payload(*rule, field);
    }
    path_.pop_back();
}

void Skimmer::nested(const FieldRule& rule, const WireField& field, int depth) {
    const int mostNesting = std::min(limits_.nesting, deepestNesting);
    if (depth >= mostNesting) {
        fault(field.start, text("messages are nested more than ", mostNesting,
                                " deep (limit-nesting); this one is left out"));
        return;
    }
    countPart(rule);
    if (isFull_) return;
    const size_t before = result_.rest.size();
    // The tag stays as it is, the length after it is written anew: 5 bytes hold any length below 2^35.
    uint64_t afterTag = field.start;
    readVarint(bytes_, afterTag, field.content);
    append(field.start, afterTag);
    const size_t lengthAt = result_.rest.size();
    result_.rest.append(5, '\0');

    message(rule.child, field.content, field.end, depth + 1);
    if (field.isCut() && !isContainer(rule.child)) {
        result_.rest.resize(before);
        return;
    }
    const size_t length = result_.rest.size() - lengthAt - 5;
    for (size_t i = 0; i < 5; ++i) {
        const size_t low = (length >> (7 * i)) & 0x7F;
        result_.rest[lengthAt + i] = static_cast<char>(i < 4 ? low | 0x80 : low);
    }
}

bool Skimmer::hasSoundNumbers(const FieldRule& rule, const WireField& field, uint64_t& count) const {
    count = 1;
    switch (rule.kind) {
        case FieldKind::integer:
        case FieldKind::integers: {
            if (field.type != WireType::bytes) return field.type == WireType::varint;
            const std::optional<uint64_t> varints = countVarints(bytes_, field.content, field.end);
            count = varints.value_or(0);
            return varints.has_value();
        }
        case FieldKind::float32:
        case FieldKind::floats:
            if (field.type != WireType::bytes) return field.type == WireType::fixed32;
            count = (field.end - field.content) / 4;
            return (field.end - field.content) % 4 == 0;
        default:
            if (field.type != WireType::bytes) return field.type == WireType::fixed64;
            count = (field.end - field.content) / 8;
            return (field.end - field.content) % 8 == 0;
    }
}

void Skimmer::payload(const FieldRule& rule, const WireField& field) {
    if (field.isCut()) return;
    TensorPayload& tensor = result_.payloads.back();
    if (rule.kind == FieldKind::rawData || rule.kind == FieldKind::strings) {
        if (field.type != WireType::bytes) {
            fault(field.start, "found a number, expected bytes");
        } else if (rule.kind == FieldKind::strings) {
            ++tensor.strings;
        } else {
            tensor.hasRaw = true;
            tensor.rawBegin = field.content;
            tensor.rawBytes = field.end - field.content;
        }
        return;
    }
    uint64_t count = 0;
    if (!hasSoundNumbers(rule, field, count)) {
        fault(field.start, "found bytes that are not the numbers expected");
        return;
    }
    switch (field.number) {
        case 4:
            tensor.floats += count;
            break;
        case 5:
            tensor.int32s += count;
            break;
        case 7:
            tensor.int64s += count;
            break;
        case 10:
            tensor.doubles += count;
            break;
        default:
            tensor.uint64s += count;
    }
}

}  // namespace

Skim skim(std::span<const std::byte> bytes, Message root, Observer& observer, const OpenLimits& limits) {
    return Skimmer(bytes, observer, limits).run(root);
}

}  // namespace engine::onnx
