"""The runtimes that benchmarks set side by side: their workers, their blocks of inferences, and what they run on."""

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

from paced_worker import PacedWorker, WorkerFailed

OURS = "opscope"
OTHERS = {"onnxruntime": "ORT", "openvino": "OV"}
LOAD_TIMEOUT_S, BLOCK_TIMEOUT_S = 300, 60
LEAD_IN_S, MOST_IN_BLOCK = 0.02, 2000
FLAGS = "avx avx2 fma f16c avx_vnni avx512f avx512_vnni avx512_bf16 avx512_fp16 amx_tile amx_int8 amx_bf16".split()


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def cli_version(cli):
    try:
        answer = subprocess.run([cli, "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip().splitlines()[0] if answer.returncode == 0 and answer.stdout.strip() else None


def environment(options):
    cpu = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        cpu.setdefault(key.strip(), value.strip())
    flags = set(cpu.get("flags", "").split())
    return {
        "cpu": cpu.get("model name", platform.processor()),
        "cores": os.cpu_count(),
        "isa": [flag for flag in FLAGS if flag in flags],
        "system": f"{platform.system()} {platform.release()}",
        "versions": {OURS: cli_version(options.cli), **{name: version(name) for name in (*OTHERS, "numpy")}},
        "load_average": os.getloadavg(),
        "threads": options.threads,
        "rounds": options.rounds,
        "block_ms": options.block_ms,
        "case": getattr(options, "case", "base"),
    }


def command_of(runtime, path, files, folder, options):
    if runtime != OURS:
        worker = Path(__file__).resolve().with_name("runtime_worker.py")
        return [sys.executable, str(worker), runtime, str(path), str(options.threads), str(folder)]
    command = [str(options.cli), "bench", str(path), "--paced", "--threads", str(options.threads)]
    for name, file in files.items():
        command += ["--input", f"{name}={file}"]
    return command


class Contestant:
    """One runtime on one model: its worker while it works, the median of each block, why it dropped out."""

    def __init__(self, command, block_s):
        self.medians_ms, self.reason, self.worker = [], None, None
        try:
            self.worker = PacedWorker(command)
            self.worker.run(1, LOAD_TIMEOUT_S)
            fastest_s = min(self.worker.run(3, BLOCK_TIMEOUT_S)) / 1e9
        except WorkerFailed as failure:
            self.drop_out(failure)
            return
        self.count = max(1, min(MOST_IN_BLOCK, int(block_s / fastest_s)))
        self.lead_in = max(1, min(self.count, int(LEAD_IN_S / fastest_s)))

    def drop_out(self, failure):
        self.reason = str(failure)
        self.close()

    def block(self):
        """A lead-in that is not counted, which brings caches and clock back, then one counted block."""
        try:
            self.worker.run(self.lead_in, BLOCK_TIMEOUT_S)
            self.medians_ms.append(statistics.median(self.worker.run(self.count, BLOCK_TIMEOUT_S)) / 1e6)
        except WorkerFailed as failure:
            self.drop_out(failure)

    def close(self):
        if self.worker:
            self.worker.close()
            self.worker = None
