// What com.microsoft.nchwc's operators are: those of blocked channels.

#include "engine/ops/documentation.h"

namespace engine {
namespace {

using enum OpDocumentation::Count;

constexpr const char* domain = "com.microsoft.nchwc";

const OpDocumentation::Parameter blocked{"X", "T", "[batch, channels in whole blocks, ...]"};

const OpDocumentation::Attribute autoPad{"auto_pad", "string", "NOTSET, SAME_UPPER, SAME_LOWER or VALID",
                                         "NOTSET"};
const OpDocumentation::Attribute ceilMode{"ceil_mode", "int", "1: rounds the sizes of the result up", "0"};
const OpDocumentation::Attribute dilations{"dilations", "ints",
                                           "steps between taps, for each axis; 1 if not given"};
const OpDocumentation::Attribute kernelShape{"kernel_shape", "ints", "the window's sizes"};
const OpDocumentation::Attribute pads{"pads", "ints",
                                      "what is added before each axis, then behind each; 0 if not given"};
const OpDocumentation::Attribute strides{"strides", "ints",
                                         "steps of the window, for each axis; 1 if not given"};

const OpDocumentation table[] = {
    {.name = "Conv",
     .text = "FusedConv of com.microsoft on channels in blocks of 8 or 16. The weights of the file lie by "
             "blocks: outputs / block, inputs / block, taps, inputs of the block, outputs of the block; "
             "where the inputs make no block, outputs / block, inputs, taps, outputs of the block.",
     .inputs = {{"X", "T",
                 "[batch, channels, ...]; in whole blocks, or less than a block without any padding"},
                {"W", "T", "[outputs, inputs of a group, ...], in blocks"},
                {"B", "T", "[outputs], a bias", optional},
                {"Sum", "T", "of the result's shape, added before the activation", optional}},
     .outputs = {{"Y", "T", "[batch, outputs, ...]"}},
     .attributes = {{"activation", "string", "what is applied at the end"},
                    {"activation_params", "floats", "its parameters"},
                    autoPad,
                    dilations,
                    {"group", "int", "groups of channels, each with weights of its own", "1"},
                    kernelShape,
                    pads,
                    strides},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "MaxPool",
     .text = "MaxPool of ai.onnx on channels in blocks.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "the largest of each window"}},
     .required = {kernelShape},
     .attributes = {autoPad,
                    ceilMode,
                    dilations,
                    pads,
                    {"storage_order", "int", "has no meaning without indices", "0"},
                    strides},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "AveragePool",
     .text = "AveragePool of ai.onnx on channels in blocks.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "the mean of each window"}},
     .required = {kernelShape},
     .attributes = {autoPad,
                    ceilMode,
                    {"count_include_pad", "int", "1: what is added counts too", "0"},
                    dilations,
                    pads,
                    strides},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "GlobalMaxPool",
     .text = "GlobalMaxPool of ai.onnx on channels in blocks.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "the largest of each channel"}},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "GlobalAveragePool",
     .text = "GlobalAveragePool of ai.onnx on channels in blocks.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "the mean of each channel"}},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "Upsample",
     .text = "Enlarges pictures whose channels lie in blocks, by whole factors.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "[batch, channels, ...], larger"}},
     .attributes = {{"coordinate_transformation_mode", "string", "asymmetric, align_corners or half_pixel",
                     "asymmetric"},
                    {"mode", "string", "nearest or linear", "nearest"},
                    {"scales", "ints", "the factor of each axis"}},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "ReorderInput",
     .text = "Brings channels into blocks, the last one filled up with zeros.",
     .inputs = {{"X", "T", "[batch, channels, ...] or, by the attribute, [batch, ..., channels]"}},
     .outputs = {{"Y", "T", "[batch, channels in whole blocks, ...]"}},
     .attributes = {{"channels_last", "int", "1: the channels of X lie last", "0"}},
     .types = {{"T", "float"}},
     .domain = domain},
    {.name = "ReorderOutput",
     .text = "Brings channels out of blocks, without what filled the last one up.",
     .inputs = {blocked},
     .outputs = {{"Y", "T", "[batch, channels, ...] or, by the attribute, [batch, ..., channels]"}},
     .attributes = {{"channels", "int", "how many there are"},
                    {"channels_last", "int", "1: the channels of Y lie last", "0"}},
     .types = {{"T", "float"}},
     .domain = domain},
};
const RegisterAll<OpDocumentation> registered{table};

}  // namespace
}  // namespace engine
