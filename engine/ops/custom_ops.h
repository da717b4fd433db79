#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/custom_op.h"
#include "engine/ops/op.h"

namespace engine {

class KernelContext;

/// What OpDef::custom tells of an operator that a library brought.
struct CustomOperator {
    const OpscopeOperator* description;
    std::string library;  ///< the path by which the user named it
};

/// Loads the library and registers its operators: all of them, or none. Loading it again changes nothing.
/// Models that were opened before do not know them yet. Returns their names, "com.example.Scale". Throws
/// Error, naming the library and the operator, if it is no such library, if it was built for another version
/// of the interface, or if an operator of it is ill described or known already. Thread-safe.
std::vector<std::string> loadCustomOperators(const std::string& path);

/// "float, double": a set of OPSCOPE_TYPE.
std::string elementTypesText(uint64_t types);

/// Its code for that provider, or null.
const OpscopeKernel* customKernel(const CustomOperator& custom, std::string_view provider);

/// Calls body(begin, end) on parts of [0, count), on threads if `bytesPerItem` makes that worth it.
using ParallelLoop = std::function<void(int64_t count, int64_t bytesPerItem,
                                        const std::function<void(int64_t, int64_t)>& body)>;

/// Runs that code for the node of the context.
void runCustomKernel(const OpscopeKernel& kernel, KernelContext& context, const ParallelLoop& loop);

}  // namespace engine
