#!/usr/bin/env python3
"""Tests of the operators' benchmark: its cases, its table. Needs numpy, onnx, onnxruntime."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import operator_cases

HERE = Path(__file__).resolve().parent
# Stands for opscope-cli: each inference takes 50 µs.
STEADY_CLI = """#!{python}
import json, sys
for line in sys.stdin:
    print(json.dumps({{"ns": [50_000] * int(line)}}), flush=True)
"""


class Cases(unittest.TestCase):
    def test_there_are_sixty_operators(self):
        self.assertEqual(len({case.operator for case in operator_cases.CASES}), 60)

    def test_each_is_a_valid_model_whose_output_shapes_or_ranks_are_known(self):
        for case in operator_cases.CASES:
            with self.subTest(case.name):
                model, inputs = operator_cases.build(case, np.random.default_rng(0))
                onnx.checker.check_model(model, full_check=True)
                self.assertEqual(sorted(inputs), sorted(value.name for value in model.graph.input))

    def test_no_two_have_the_same_name(self):
        names = [case.name for case in operator_cases.CASES]
        self.assertEqual(len(names), len(set(names)))


class Table(unittest.TestCase):
    def compare(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "opscope-cli"
            program.write_text(STEADY_CLI.format(python=sys.executable))
            program.chmod(0o755)
            command = [HERE / "compare_operators", "--cli", program, "--rounds", "2", "--block-ms", "1", *options]
            return subprocess.run(command, capture_output=True, text=True, timeout=100)

    def test_a_ratio_stands_in_the_row(self):
        answer = self.compare("--cases", "Not ", "--below", "0.0001")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"Not +\[1, 12, 128, 128\] .*\d\.\d\d \[\d")

    def test_what_is_surely_below_the_bar_fails(self):
        self.assertEqual(self.compare("--cases", "Not ", "--below", "1000000").returncode, 1)


if __name__ == "__main__":
    unittest.main()
