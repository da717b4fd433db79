"""ONNX Runtime in a process of its own: what ends that process is an answer too."""

import multiprocessing

import onnxruntime


class Crash(Exception):
    """The process that ran the model is no more."""


def quiet_options():
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return options


def serve(pipe):
    onnxruntime.set_default_logger_severity(4)
    while True:
        model, feeds = pipe.recv()
        try:
            session = onnxruntime.InferenceSession(model, quiet_options(), providers=["CPUExecutionProvider"])
            pipe.send(session.run(None, feeds))
        except Exception as problem:  # a model may be refused in any way
            pipe.send(str(problem))


class Runtime:
    """Runs models; starts its process when it is needed and again when it has ended."""

    def __init__(self):
        self.process = self.pipe = None

    def start(self):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def run(self, model, feeds):
        """The outputs. Throws what the model is refused for, and Crash."""
        if self.process is None:
            self.start()
        try:
            self.pipe.send((model, feeds))
            answer = self.pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as problem:
            self.process.join()
            self.process = None
            raise Crash from problem
        if isinstance(answer, str):
            raise ValueError(answer)
        return answer


runtime = Runtime()
