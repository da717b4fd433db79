#!/usr/bin/env python3
"""Tests of the list of operators that weigh. Needs numpy, onnx."""

import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

LOADER = importlib.machinery.SourceFileLoader("weigh", str(Path(__file__).resolve().parent / "weigh_operators"))
weigh = importlib.util.module_from_spec(importlib.util.spec_from_loader("weigh", LOADER))
LOADER.exec_module(weigh)


def step(index, operator, ns, *, kernel="highway", provider="cpu", parent=None, calls=1):
    return {"step": index, "operator": operator, "kernel": kernel, "provider": provider, "parent": parent,
            "calls": calls, "time": {"median_ns": ns}}  # fmt: skip


class Rows(unittest.TestCase):
    def rows(self, *steps, least=0.01):
        rows = weigh.rows_of("m", {"steps": steps}, least)
        return [(row["operator"], row["provider"], round(row["share"], 3)) for row in rows]

    def test_steps_of_one_operator_count_together_and_light_ones_are_left_out(self):
        steps = [step(0, "Relu", 30), step(1, "Conv", 900), step(2, "Relu", 65), step(3, "Neg", 5)]
        self.assertEqual(self.rows(*steps), [("Conv", "cpu", 0.9), ("Relu", "cpu", 0.095)])

    def test_a_reference_kernel_within_cpu_counts_as_reference(self):
        steps = [step(0, "Relu", 50), step(1, "Relu", 50, kernel="reference")]
        self.assertEqual(self.rows(*steps), [("Relu", "cpu", 0.5), ("Relu", "reference", 0.5)])

    def test_time_of_a_body_is_taken_off_its_control_flow(self):
        steps = [step(0, "Loop", 100, provider="reference", kernel="reference"), step(1, "Add", 9, parent=0, calls=10)]
        self.assertEqual(self.rows(*steps), [("Add", "cpu", 0.9), ("Loop", "control", 0.1)])


if __name__ == "__main__":
    unittest.main()
