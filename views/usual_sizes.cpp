#include "views/usual_sizes.h"

#include <algorithm>
#include <string>

namespace views {

namespace {

constexpr int64_t pictureSide = 224;
constexpr int64_t tokens = 128;
constexpr int64_t samples = 256;

bool contains(std::string text, const char* word) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
        return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    });
    return text.find(word) != std::string::npos;
}

bool isChannelCount(const engine::Dim& dim) {
    return dim.isNumber() && (dim.number() == 1 || dim.number() == 3 || dim.number() == 4);
}

int64_t usualSize(const engine::Type& type, size_t axis, const std::string& symbol) {
    const engine::Shape& shape = *type.shape;
    if (axis == 0 || contains(symbol, "batch")) return 1;
    if (contains(symbol, "seq") || contains(symbol, "token")) return tokens;
    if (shape.size() == 4 && isChannelCount(shape[1])) return pictureSide;
    if (shape.size() == 4 && axis < 3 && isChannelCount(shape[3])) return pictureSide;
    if (shape.size() != 2) return 1;
    return type.element == engine::DataType::float32 ? samples : tokens;
}

}  // namespace

engine::Bindings usualSizes(const engine::Model& model) {
    engine::Bindings sizes;
    for (const engine::ValueId input : model.graph->inputs) {
        const engine::Type& type = model.typed->types[input.index];
        if (!type.isTensor() || !type.shape) continue;
        for (size_t axis = 0; axis < type.shape->size(); ++axis) {
            const std::vector<std::string> symbols = (*type.shape)[axis].symbols();
            if (symbols.size() == 1) sizes.emplace(symbols.front(), usualSize(type, axis, symbols.front()));
        }
    }
    for (const std::string& symbol : model.symbols()) sizes.emplace(symbol, 1);
    return sizes;
}

FormSymbols::FormSymbols(const engine::Model& model) : shown(model.symbols()) {
    rest = shown.size() - std::min(shown.size(), mostFormRows);
    shown.resize(shown.size() - rest);
}

}  // namespace views
