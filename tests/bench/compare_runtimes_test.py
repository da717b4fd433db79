#!/usr/bin/env python3
"""Tests of the benchmark itself: its statistics, its way with workers that misbehave, its table. Needs numpy, onnx."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import intervals
from paced_worker import PacedWorker, WorkerFailed

HERE = Path(__file__).resolve().parent
# Stands for opscope-cli: each inference takes as many nanoseconds as MODEL's name is long.
STEADY_CLI = """#!{python}
import json, sys
for line in sys.stdin:
    print(json.dumps({{"ns": [len(sys.argv[2].split("/")[-1]) * 1000] * int(line)}}), flush=True)
"""
FAILING_CLI = """#!{python}
import sys
sys.exit("mlp_small.onnx: node '/layers.0/Gemm' (Gemm): no kernel")
"""


def python_worker(code):
    return PacedWorker([sys.executable, "-c", code])


class Intervals(unittest.TestCase):
    def test_student_t_agrees_with_the_printed_tables(self):
        for degrees, expected in ((4, 2.776), (9, 2.262), (19, 2.093), (99, 1.984)):
            self.assertAlmostEqual(intervals.student_t(degrees), expected, delta=0.005 * expected)

    def test_ratio_follows_rounds_whatever_slows_both(self):
        found = intervals.ratio([2.0, 4.0, 8.0], [1.0, 2.0, 4.0])
        self.assertAlmostEqual(found["ratio"], 2)
        self.assertAlmostEqual(found["high"] - found["low"], 0)

    def test_ratio_with_spread_has_an_interval_around_it(self):
        found = intervals.ratio([1.9, 2.0, 2.1, 2.0], [1.0, 1.0, 1.0, 1.0])
        self.assertTrue(found["low"] < found["ratio"] < found["high"])

    def test_geometric_mean_of_twice_and_half_is_one(self):
        rows = [{"ratio": 2, "log_error": 0.03}, {"ratio": 0.5, "log_error": 0.04}]
        found = intervals.geometric_mean(rows)
        self.assertAlmostEqual(found["ratio"], 1)
        self.assertAlmostEqual(found["high"], 2.718281828 ** (1.959964 * 0.025), places=6)


class Workers(unittest.TestCase):
    def assert_fails(self, code, message, timeout=20.0):
        worker = python_worker(code)
        self.addCleanup(worker.close)
        with self.assertRaisesRegex(WorkerFailed, message):
            worker.run(2, timeout)

    def test_answers_come_back_in_order(self):
        worker = python_worker("for k in (3, 5):\n print('{\"ns\": [%d]}' % k, flush=True)\ninput();input()")
        self.addCleanup(worker.close)
        self.assertEqual([worker.run(1, 20), worker.run(1, 20)], [[3], [5]])

    def test_a_dead_worker_is_quoted(self):
        self.assert_fails("import sys; sys.exit('model: no kernel')", "^model: no kernel$")

    def test_a_worker_that_dies_without_a_word_leaves_its_status(self):
        self.assert_fails("raise SystemExit(7)", "exit status 7")

    def test_a_silent_worker_is_given_up(self):
        self.assert_fails("input(); input()", "no answer in 1 s", timeout=1)

    def test_too_few_times_are_refused(self):
        self.assert_fails("""print('{"ns": [5]}', flush=True); input(); input()""", "answered 1 times, expected 2")

    def test_other_output_is_refused(self):
        self.assert_fails("print('loading', flush=True); input(); input()", "answered 'loading'")

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(WorkerFailed, "/no/such/program"):
            PacedWorker(["/no/such/program"])


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        make = HERE.parent / "models" / "make.py"
        subprocess.run([sys.executable, make, self.folder, "mlp_small"], check=True, capture_output=True)

    def compare(self, cli, *options):
        program = self.folder / "opscope-cli"
        program.write_text(cli.format(python=sys.executable))
        program.chmod(0o755)
        command = [HERE / "compare_runtimes", self.folder, "--cli", program, "--runtimes", "opscope"]
        options = ["--rounds", "3", "--block-ms", "5", *options]
        return subprocess.run([*command, *options], check=True, capture_output=True, text=True, timeout=60).stdout

    def test_times_come_out_as_the_worker_gave_them(self):
        answer = json.loads(self.compare(STEADY_CLI, "--models", "mlp_small", "--json"))
        ours = answer["models"][0]["runtimes"]["opscope"]
        self.assertEqual(ours["rounds_ms"], [0.014] * 3)
        self.assertEqual(ours["half_interval_ms"], 0)

    def test_a_failing_runtime_is_na_with_its_reason(self):
        table = self.compare(FAILING_CLI, "--models", "mlp_small")
        self.assertIn("opscope n/a: mlp_small.onnx: node '/layers.0/Gemm' (Gemm): no kernel", table)

    def test_a_missing_model_does_not_end_the_table(self):
        lines = self.compare(STEADY_CLI, "--models", "resnet50,mlp_small").splitlines()
        self.assertTrue(any("resnet50.onnx" in line for line in lines))
        self.assertTrue(any(line.startswith("mlp_small ") and "0.014" in line for line in lines))


if __name__ == "__main__":
    unittest.main()
