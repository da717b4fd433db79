// Attention whose values are of another type than its queries and keys. The function body of the
// specification multiplies both by MatMul, which takes one type only: this one brings the values to the
// queries' type first.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

std::string attention(BodyWriter& writer) {
    const DataType query = writer.element(0);
    const DataType value = writer.element(2);
    if (query == value || query == DataType::undefined || value == DataType::undefined) return "";
    std::vector<std::string> names;
    for (const Attribute& attribute : writer.attributes.node().attributes) names.push_back(attribute.name);
    writer.line("v = CastLike (V, Q)");
    if (writer.has(5)) writer.line("past = CastLike (past_value, Q)");
    writer.call("Y, present_key, present, qk", "Attention",
                {"Q", "K", "v", writer.given(3, "mask"), writer.given(4, "past_key"), writer.given(5, "past"),
                 writer.given(6, "lengths")},
                names);
    writer.line("present_value = CastLike (present, V)");
    return writer.function(
        "(Q, K, V, mask, past_key, past_value, lengths) => (Y, present_key, present_value, qk)");
}

const OpBody body{"Attention", "", attention};
const Register<OpBody> registered{body};

}  // namespace
}  // namespace engine
