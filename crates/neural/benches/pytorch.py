"""Times PyTorch on a network of deminer's, one position at a time, in one thread.

`cargo bench -p deminer-neural --features library` starts it where Python has PyTorch, with an
artifact as argument and on standard input four lines: the layers, the shape of the positions, the
positions, our answers. Prints microseconds for an answer and the greatest difference to ours.
"""

import json
import struct
import sys
import time

import torch
from torch.nn import functional


def tensors(path):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    (length,) = struct.unpack("<Q", content[:8])
    kinds = {"F32": torch.float32, "F16": torch.float16}
    found = {}
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        # Copied, so that odd offsets do not matter.
        flat = torch.frombuffer(content[start:end], dtype=kinds[entry["dtype"]])
        found[name] = flat.reshape(entry["shape"]).float()
    return found


def dense(weights, at):
    weight, bias = weights[f"{at}.weight"].t().contiguous(), weights[f"{at}.bias"]

    def run(flow):
        # The channels of a cell lie together.
        flat = flow.permute(0, 2, 3, 1).flatten(1) if flow.dim() == 4 else flow
        return functional.linear(flat, weight, bias)

    return run


def convolution(weights, at):
    weight, bias = weights[f"{at}.weight"], weights[f"{at}.bias"]
    return lambda flow: functional.conv2d(flow, weight, bias, padding=weight.shape[-1] // 2)


def norm(weights, at):
    mean, variance, scale, shift = (
        weights[f"{at}.{part}"] for part in ("mean", "variance", "scale", "shift")
    )
    return lambda flow: functional.batch_norm(flow, mean, variance, scale, shift)


def chain(weights, words):
    """The layers up to a closing bracket, as one function."""
    layers = []
    for word in words:
        kind, _, at = word.partition(":")
        if kind == "]":
            break
        if kind == "[":
            inner = chain(weights, words)
            layers.append(lambda flow, inner=inner: flow + inner(flow))
        elif kind == "relu":
            layers.append(functional.relu)
        elif kind == "sigmoid":
            layers.append(torch.sigmoid)
        else:
            layers.append({"dense": dense, "convolution": convolution, "norm": norm}[kind](weights, at))

    def run(flow):
        for layer in layers:
            flow = layer(flow)
        return flow

    return run


def main():
    torch.set_num_threads(1)
    layers, shape, positions, answers = (line.split() for line in sys.stdin)
    network = chain(tensors(sys.argv[1]), iter(layers))
    positions = torch.tensor([float(word) for word in positions]).reshape([int(word) for word in shape])
    answers = torch.tensor([float(word) for word in answers])
    with torch.inference_mode():
        difference = (network(positions).flatten() - answers).abs().max().item()
        start, calls = time.perf_counter(), 0
        while time.perf_counter() - start < 0.3:
            network(positions[calls % len(positions)].unsqueeze(0))
            calls += 1
        print(1e6 * (time.perf_counter() - start) / calls, difference)


main()
