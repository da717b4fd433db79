#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "tests/support/op_case.h"

namespace test {

/// The one-node graph of a case. Value ids: the inputs in order, then the outputs.
engine::Graph graphOf(const RegisteredCase& registered);

/// Runs the case in sessions on the provider, the node as written (no passes): with one, two and three
/// threads, with all inputs given at run time and with some of them constant, as far as the provider takes
/// the node. Fails by gtest's assertions. Returns why if the provider takes it in no way, else nothing.
std::string expectFromSessions(const RegisteredCase& registered, const std::string& provider);

}  // namespace test
