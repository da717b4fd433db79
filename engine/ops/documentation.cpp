#include "engine/ops/documentation.h"

#include <string_view>

#include "engine/ops/op.h"

namespace engine {

template <>
Registry<OpDocumentation>& Registry<OpDocumentation>::instance() {
    static Registry registry;
    return registry;
}

bool OpDocumentation::operator<(const OpDocumentation& other) const {
    return std::pair<std::string_view, std::string_view>{domain, name} <
           std::pair<std::string_view, std::string_view>{other.domain, other.name};
}

const OpDocumentation* findDocumentation(const std::string& domain, const std::string& name) {
    const std::string wanted(canonicalDomain(domain));
    return Registry<OpDocumentation>::instance().find(
        {.name = name.c_str(), .text = "", .domain = wanted.c_str()});
}

}  // namespace engine
