"""One runtime with one model in a process of its own, which works only when it is asked to."""

import json
import os
import selectors
import subprocess
import tempfile
import time


class WorkerFailed(Exception):
    """Why a worker gives no times; the message is for the table."""


class PacedWorker:
    """Talks the protocol of `opscope-cli bench --paced`. One thread; `close` ends the process for sure."""

    def __init__(self, command):
        self.errors = tempfile.TemporaryFile()
        self.buffer = b""
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0
            )
        except OSError as error:
            self.errors.close()
            raise WorkerFailed(f"{command[0]}: {error.strerror}") from error

    def run(self, count, timeout):
        """The nanoseconds of each of count inferences; WorkerFailed after timeout seconds or at the worker's end."""
        try:
            self.process.stdin.write(f"{count}\n".encode())
        except OSError:
            raise WorkerFailed(self.last_words()) from None
        line = self.read_line(time.monotonic() + timeout, timeout)
        try:
            times = json.loads(line)["ns"]
        except (ValueError, KeyError, TypeError):
            raise WorkerFailed(f"answered {line[:60]!r}, expected {{\"ns\": [...]}}") from None
        if len(times) != count or not all(isinstance(ns, (int, float)) and ns > 0 for ns in times):
            raise WorkerFailed(f"answered {len(times)} times, expected {count} above 0")
        return times

    def read_line(self, deadline, timeout):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                if not selector.select(max(deadline - time.monotonic(), 0)):
                    raise WorkerFailed(f"no answer in {timeout:.0f} s")
                chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                if not chunk:
                    raise WorkerFailed(self.last_words())
                self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode(errors="replace")

    def last_words(self):
        """The last line that a dead worker left on standard error, or how it ended."""
        code = self.process.wait()
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors.read().decode(errors="replace").splitlines() if line.strip()]
        return lines[-1][:160] if lines else f"ended with exit status {code}"

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()
