#include "engine/core/name_list.h"

#include "engine/core/text.h"

namespace engine {

std::string listNames(std::span<const std::string> names) {
    constexpr size_t most = 20;
    if (names.size() <= most) return join(names, ", ");
    return text(join(names.first(most), ", "), " and ", names.size() - most, " more");
}

}  // namespace engine
