#!/usr/bin/env python3
"""Trains Opscope's sample model and writes it with its evaluation set into this folder.

    train_digits.py [FOLDER]       needs numpy, scikit-learn and onnx 1.23; checks with onnxruntime where it is installed

Data: the 1,797 handwritten digits of 8 by 8 pixels that scikit-learn ships (NOTICE.md says whose they are). A seeded
shuffle holds 400 of them out; the network never sees those while training and nothing is chosen by them. The same
people wrote both parts, so the accuracy says nothing about other hands.
Result: 399 of the 400 held-out pictures right, 99.75 % (digits.json); half a minute on one core.
Files: digits.onnx, digits_eval_images.npy (float32 [400, 1, 8, 8], 0..1), digits_eval_labels.npy (int64 [400]),
digits.json (accuracy, split, seed, operators). Two runs on one machine give the same bytes.
"""

import os

# One thread and one set of kernels: the order of float additions, and so every weight, is the same in each run.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "Haswell"

import collections
import json
import sys
import time
from pathlib import Path

import network as digits_network
import numpy as np
import onnx.reference
from sklearn.datasets import load_digits

SEED = 4
HELD_OUT = 400
EPOCHS = 60
BATCH = 64
PEAK_RATE = 4e-3
WEIGHT_DECAY = 2e-3
LABEL_SMOOTHING = 0.05
REQUIRED_ACCURACY = 0.98


def split(random):
    """(training pixels, training labels, held-out pixels, held-out labels), pixels [n, 8, 8, 1] in 0..1."""
    data = load_digits()
    pixels = (data.images / 16).astype(np.float32)[..., None]
    order = random.permutation(len(pixels))
    kept, held = np.sort(order[HELD_OUT:]), np.sort(order[:HELD_OUT])
    return pixels[kept], data.target[kept], pixels[held], data.target[held]


def shifted(pixels, random):
    """Each picture moved by up to one pixel each way, by a share of a pixel too, with a little noise."""
    offsets = random.uniform(-1, 1, (2, len(pixels), 1, 1, 1)).astype(np.float32)
    for axis, offset in zip((1, 2), offsets):
        ends = [(0, 0)] * 4
        ends[axis] = (1, 1)
        padded = np.pad(pixels, ends)
        before, after = (np.take(padded, np.arange(8) + start, axis=axis) for start in (0, 2))
        part = np.abs(offset)
        pixels = (1 - part) * pixels + part * np.where(offset > 0, before, after)
    noise = random.standard_normal(pixels.shape).astype(np.float32) * np.float32(0.04)
    return np.clip(pixels + noise, 0, 1)


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


class Adam:
    """Adam with decoupled weight decay on the weights of convolutions and dense layers."""

    def __init__(self, layers):
        self.layers = [layer for layer in layers if layer.parameters]
        self.moments = {}
        self.step_count = 0

    def step(self, rate):
        self.step_count += 1
        for number, layer in enumerate(self.layers):
            for name, value in layer.parameters.items():
                gradient = layer.gradients[name]
                first, second = self.moments.get((number, name), (0, 0))
                first = np.float32(0.9) * first + np.float32(0.1) * gradient
                second = np.float32(0.999) * second + np.float32(0.001) * gradient * gradient
                self.moments[number, name] = first, second
                change = first / np.float32(1 - 0.9**self.step_count)
                change = change / (np.sqrt(second / np.float32(1 - 0.999**self.step_count)) + np.float32(1e-8))
                if value.ndim == 2:
                    change = change + np.float32(WEIGHT_DECAY) * value
                value -= np.float32(rate) * change


def train(pixels, labels, random):
    network = digits_network.build(random, pixels.mean(), pixels.std())
    adam = Adam(network.parts())
    targets = np.full((len(labels), 10), LABEL_SMOOTHING / 10, np.float32)
    targets[np.arange(len(labels)), labels] += 1 - LABEL_SMOOTHING
    batches = len(pixels) // BATCH
    started = time.monotonic()
    for epoch in range(EPOCHS):
        order, hits = random.permutation(len(pixels)), 0
        for k in range(batches):
            chosen = order[k * BATCH : (k + 1) * BATCH]
            logits = network.forward(shifted(pixels[chosen], random), training=True)
            hits += (logits.argmax(axis=1) == labels[chosen]).sum()
            network.backward((softmax(logits) - targets[chosen]) / np.float32(BATCH))
            done = (epoch * batches + k + 1) / (EPOCHS * batches)
            adam.step(PEAK_RATE * min(done / 0.1, 0.5 + 0.5 * np.cos(np.pi * done)))
        if epoch % 10 == 9:
            share, spent = hits / (batches * BATCH), time.monotonic() - started
            print(f"epoch {epoch + 1}: {share:.2%} of the moved training pictures right, {spent:.0f} s", flush=True)
    return network


def check(path, images, expected):
    """Stops unless onnx's reference evaluator and ONNX Runtime get what the network gets."""
    runners = {"onnx reference": onnx.reference.ReferenceEvaluator(path).run}
    try:
        import onnxruntime
    except ImportError:
        print("onnxruntime is not installed: not compared with it")
    else:
        runners["onnxruntime"] = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run
    for name, run in runners.items():
        for batch in (1, 7, len(images)):
            probabilities, digit = run(None, {"image": images[:batch]})
            worst = np.abs(probabilities - expected[:batch]).max()
            if worst > 1e-5 or not np.array_equal(digit, expected[:batch].argmax(axis=1)):
                sys.exit(f"{name}: differs from the trained network by {worst:.3g} at batch {batch}")
        print(f"{name}: agrees, largest difference {worst:.2g}")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(SEED)
    train_pixels, train_labels, pixels, labels = split(random)
    network = train(train_pixels, train_labels, random)
    expected = softmax(network.forward(pixels, training=False))
    right = int((expected.argmax(axis=1) == labels).sum())
    accuracy = right / len(labels)
    print(f"held out: {right} of {len(labels)} right, {accuracy:.2%}")
    if accuracy < REQUIRED_ACCURACY:
        sys.exit(f"accuracy {accuracy:.2%} is under {REQUIRED_ACCURACY:.0%}")

    model = digits_network.write_model(
        network,
        {
            "author": "Opscope",
            "licence": "Apache-2.0",
            "data": "Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, by way of scikit-learn",
            "data_licence": "CC BY 4.0",
            "accuracy": f"{accuracy:.4f} on {len(labels)} held-out images",
        },
    )
    digits_network.save(model, folder / "digits.onnx")
    images = np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))
    np.save(folder / "digits_eval_images.npy", images)
    np.save(folder / "digits_eval_labels.npy", labels.astype(np.int64))
    facts = {
        "accuracy": accuracy,
        "right": right,
        "split": {"training": len(train_labels), "evaluation": len(labels), "by": "seeded shuffle"},
        "seed": SEED,
        "parameters": sum(value.size for layer in network.parts() for value in layer.parameters.values()),
        "operators": dict(sorted(collections.Counter(node.op_type for node in model.graph.node).items())),
    }
    (folder / "digits.json").write_text(json.dumps(facts, indent=2) + "\n")
    check(str(folder / "digits.onnx"), images, expected)


if __name__ == "__main__":
    main()
