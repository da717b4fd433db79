#include "tests/support/run_text.h"

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/ops/inference.h"
#include "engine/session.h"

namespace test {

using namespace engine;

TextRun runText(const std::string& onnxText, const std::vector<Datum>& inputs) {
    Observer observer;
    const std::shared_ptr<const Model> model = Model::parse(onnxText);
    for (const Diagnostic& diagnostic : model->diagnostics) fail(diagnostic.place, ": ", diagnostic.message);
    TextRun run;
    for (const ValueId output : model->graph->outputs)
        run.inferred.push_back(model->typed->types[output.index]);

    SessionOptions options{.providers = {"reference"}, .threads = 1};
    options.passes.enabled = false;
    const std::shared_ptr<Session> session = Session::create(model, options, observer);
    std::vector<NamedDatum> given;
    for (size_t i = 0; i < inputs.size(); ++i) {
        given.push_back({.name = model->graph->value(model->graph->inputs.at(i)).name, .datum = inputs[i]});
    }
    for (const NamedDatum& output : session->run(given, {}, observer).outputs)
        run.outputs.push_back(output.datum);
    return run;
}

}  // namespace test
