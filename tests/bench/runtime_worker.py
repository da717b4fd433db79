#!/usr/bin/env python3
"""Runs a model on another runtime on request, as `opscope-cli bench MODEL --paced` does on ours.

    runtime_worker.py onnxruntime|openvino MODEL THREADS INPUTS_DIR

Inputs are INPUTS_DIR/NAME.npy. Prints nothing while it loads; then each line N on standard input is answered, after N
inferences, by one line {"ns": [...]} with the time of each. Ends with its input.
"""

import gc
import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))
from inputs import file_name  # noqa: E402


def load_inputs(names, folder):
    return {name: np.load(folder / file_name(name)) for name in names}


def onnxruntime_inference(path, threads, folder):
    """All optimisations; inputs bound once, so that a call costs little more than the inference.

    A model that declares its outputs' ranks wrongly runs unbound only.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    values = load_inputs([value.name for value in session.get_inputs()], folder)
    binding = session.io_binding()
    for name, value in values.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(value))
    for value in session.get_outputs():
        binding.bind_output(value.name, "cpu")
    try:
        for _ in range(2):  # the second call checks the declared ranks: it finds the first one's outputs bound
            session.run_with_iobinding(binding)
    except RuntimeError:
        return lambda: session.run(None, values)
    return lambda: session.run_with_iobinding(binding)


def openvino_inference(path, threads, folder):
    """Latency mode in float32, shapes fixed before compilation where the model lets them be."""
    import openvino

    core = openvino.Core()
    model = core.read_model(path)
    values = load_inputs([value.get_any_name() for value in model.inputs], folder)
    try:
        model.reshape({name: openvino.PartialShape(list(value.shape)) for name, value in values.items()})
    except RuntimeError:
        model = core.read_model(path)
    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
    }
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    for name, value in values.items():
        request.set_tensor(name, openvino.Tensor(value))

    def infer():
        request.start_async()
        request.wait()

    return infer


RUNTIMES = {"onnxruntime": onnxruntime_inference, "openvino": openvino_inference}


def main():
    runtime, path, threads, folder = sys.argv[1:]
    infer = RUNTIMES[runtime](path, int(threads), Path(folder))
    gc.disable()
    for line in sys.stdin:
        ns = []
        for _ in range(int(line)):
            started = time.perf_counter_ns()
            infer()
            ns.append(time.perf_counter_ns() - started)
        print(json.dumps({"ns": ns}), flush=True)


if __name__ == "__main__":
    main()
