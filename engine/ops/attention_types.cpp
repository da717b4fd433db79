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
    const std::string list = writer.handOn(names);
    writer.line("v = CastLike (V, Q)");
    std::string inputs = "Q, K, v";
    inputs += writer.has(3) ? ", mask" : ", ";
    inputs += writer.has(4) ? ", past_key" : ", ";
    if (writer.has(5)) writer.line("past = CastLike (past_value, Q)");
    inputs += writer.has(5) ? ", past" : ", ";
    if (writer.has(6)) inputs += ", lengths";
    while (inputs.ends_with(", ")) inputs.resize(inputs.size() - 2);
    writer.line("Y, present_key, present, qk = Attention" +
                (list.empty() ? " " : " <" + list.substr(2) + "> ") + "(" + inputs + ")");
    writer.line("present_value = CastLike (present, V)");
    return writer.function(
        "(Q, K, V, mask, past_key, past_value, lengths) => (Y, present_key, present_value, qk)");
}

const OpBody body{"Attention", "", attention};
const Register<OpBody> registered{body};

}  // namespace
}  // namespace engine
