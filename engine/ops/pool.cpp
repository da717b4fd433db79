#include "engine/ops/pool.h"

#include "engine/core/error.h"

namespace engine {

double readExponent(const AttributeReader& reader) {
    const Attribute* attribute = reader.node().attribute("p");
    const bool isFloat = attribute != nullptr && std::holds_alternative<float>(attribute->value);
    const double p = isFloat ? reader.number("p") : static_cast<double>(reader.integer("p", 2));
    if (!(p > 0)) fail("p: found ", p, ", expected a positive number");
    return p;
}

PoolAttributes readPool(const AttributeReader& reader) {
    PoolAttributes attributes{.window = readWindow(reader),
                              .countIncludePad = reader.integer("count_include_pad", 0) != 0,
                              .columnMajorIndices = reader.integer("storage_order", 0) != 0,
                              .p = readExponent(reader)};
    if (attributes.window.kernel.empty()) fail("kernel_shape is missing");
    return attributes;
}

void inferPool(InferContext& context) {
    const WindowAttributes& window = context.attributes<PoolAttributes>().window;
    const size_t axes = window.kernel.size();
    context.checkRank(0, static_cast<int64_t>(axes) + 2, "X");
    const Shape* input = context.inputShape(0);
    Shape output(axes + 2);
    if (input != nullptr) {
        output[0] = (*input)[0];
        output[1] = (*input)[1];
        for (size_t i = 0; i < axes; ++i) {
            output[i + 2] = windowOutput(window, i, window.kernel[i], (*input)[i + 2]);
        }
    }
    context.setOutput(1, DataType::int64, output);
    context.setOutput(0, context.inputElement(0), std::move(output));
}

Work poolWork(const WorkContext& context) {
    Dim taps = 1;
    for (const int64_t size : context.attributes<PoolAttributes>().window.kernel) taps *= size;
    return {.otherFlops = context.outputElements(0) * taps};
}

PoolGeometry poolGeometry(const PoolAttributes& attributes, const Dims& input) {
    const Dims& kernel = attributes.window.kernel;
    if (input.size() != kernel.size() + 2) {
        fail("X: found rank ", input.size(), ", expected ", kernel.size() + 2, " for a kernel_shape of ",
             kernel.size(), " values");
    }
    PoolGeometry geometry{.planes = elementCount(Dims{input[0], input[1]}),
                          .axes = windowAxes(attributes.window, kernel, Dims(input.begin() + 2, input.end())),
                          .outputDims = {input[0], input[1]}};
    for (const WindowAxis& axis : geometry.axes) geometry.outputDims.push_back(axis.output);
    return geometry;
}

}  // namespace engine
