#pragma once

#include <memory>

#include "engine/model.h"

namespace test {

/// A small network in which the views have something to show: groups "a" and "b" alike, a constant, a branch,
/// an If with two bodies, shape arithmetic, an unknown operator, two outputs.
std::shared_ptr<const engine::Model> sampleModel();

/// The node of that name, anywhere in the model.
engine::OriginId originNamed(const engine::Model& model, const std::string& name);

}  // namespace test
