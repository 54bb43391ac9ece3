"""Computes networks of package hexnet in PyTorch, for TestPyTorch and TestLearningAsPyTorch.

    python3 reference.py | gzip -9n > pytorch.jsonl.gz
    python3 reference.py learning | gzip -9n > learning.json.gz

Each line is a case: a network, a batch and its targets; outputs, losses and the gradient of the
mean loss; and losses of steps of AdamW on that batch. All is computed in float64 on the CPU from
parameters that a float32 has. The equations are those of the package's documentation; nothing
here is derived from its code.

Learning has the losses of steps with a new batch each, all drawn by SplitMix64, so that the test
draws the same ones. The targets follow from the planes, and can be learned.
"""

import json
import sys

import torch

PLANES, KINDS, HIDDEN = 16, 3, 64


def neighbours(side):
    """Returns for each cell its seven taps: itself, and clockwise from up and left."""
    cells = [(r, c) for r in range(2 * side - 1) for c in range(max(0, r - side + 1), min(2 * side - 1, r + side))]
    number = {cell: i for i, cell in enumerate(cells)}
    steps = [(0, 0), (-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)]
    return torch.tensor([[number.get((r + dr, c + dc), len(cells)) for dr, dc in steps] for r, c in cells])


class Net:
    """A network whose parameters are one vector."""

    def __init__(self, blocks, channels, side):
        self.blocks, self.channels, self.side = blocks, channels, side
        self.near = neighbours(side)

    def shapes(self):
        """Returns the shape of each layer's weights and whether it has biases, in order."""
        c = self.channels
        yield (7, PLANES, c), True
        for block in range(self.blocks):
            yield (7, c, c), True
            if block % 2 == 1:
                yield (3 * c, c), False
            yield (7, c, c), True
        yield (c, 4), True
        yield (3 * c, HIDDEN), True
        yield (HIDDEN, 1 + KINDS), True

    def layers(self, parameters):
        """Yields weights and biases of each layer."""
        at = 0
        for shape, biased in self.shapes():
            n = torch.Size(shape).numel()
            weights = parameters[at : at + n].view(shape)
            at += n
            biases = None
            if biased:
                biases = parameters[at : at + shape[-1]]
                at += shape[-1]
            yield weights, biases
        assert at == len(parameters)

    def size(self):
        return sum(torch.Size(shape).numel() + (shape[-1] if biased else 0) for shape, biased in self.shapes())

    def conv(self, x, layer):
        weights, biases = layer
        padded = torch.cat([x, x.new_zeros(x.shape[0], 1, x.shape[2])], 1)
        return torch.einsum("bcti,tio->bco", padded[:, self.near], weights) + biases

    def pool(self, x):
        mean = x.mean(1)
        return torch.cat([mean, mean * (self.side - 6) / 4, x.amax(1)], 1)

    def forward(self, parameters, planes):
        layers = self.layers(parameters)
        h = self.conv(planes / 8, next(layers))
        for block in range(self.blocks):
            t = self.conv(h.relu(), next(layers))
            if block % 2 == 1:
                t = t + (self.pool(t.relu()) @ next(layers)[0])[:, None]
            h = h + self.conv(t.relu(), next(layers))
        f = h.relu()
        weights, biases = next(layers)
        cells = f @ weights + biases
        weights, biases = next(layers)
        units = (self.pool(f) @ weights + biases).relu()
        weights, biases = next(layers)
        return cells, units @ weights + biases

    def losses(self, parameters, planes, targets):
        """Returns the five losses, means over boards: policy, value, reply, structure, kinds."""
        cells, board = self.forward(parameters, planes)
        legal = targets["policy"] >= 0
        log = lambda x: x.masked_fill(~legal, float("-inf")).log_softmax(1).masked_fill(~legal, 0)
        policy = -(targets["policy"].clamp(min=0) * log(cells[..., 0])).sum(1)
        reply = targets["reply"]
        replies = torch.where(reply >= 0, -log(cells[..., 1]).gather(1, reply.clamp(min=0)[:, None])[:, 0], 0.0)
        entropy = torch.nn.functional.binary_cross_entropy_with_logits
        structure = targets["structure"]
        own = entropy(cells[..., 2], (structure > 0).double(), reduction="none")
        other = entropy(cells[..., 3], (structure < 0).double(), reduction="none")
        value = entropy(2 * board[:, 0], (1 + targets["value"]) / 2, reduction="none")
        kinds = torch.stack([targets["kinds"] >> k & 1 for k in range(KINDS)], 1).double()
        return torch.stack([policy, value, replies, (own + other).mean(1),
                            entropy(board[:, 1:], kinds, reduction="none").sum(1)]).mean(1)


WEIGHTS = torch.tensor([1, 1, 0.15, 0.5, 0.1], dtype=torch.float64)


def step_losses(net, start, batches, rate):
    """Returns the total loss of each batch, of planes and targets, before a step of AdamW with it."""
    decays = torch.cat([x for weights, biases in net.layers(start)
                        for x in ([torch.ones(weights.numel())] + ([] if biases is None else [torch.zeros(len(biases))]))])
    p, m, v, totals = start.clone(), torch.zeros_like(start), torch.zeros_like(start), []
    for step, (planes, targets) in enumerate(batches, 1):
        q = p.clone().requires_grad_()
        total = net.losses(q, planes, targets) @ WEIGHTS
        total.backward()
        totals.append(total.item())
        g = q.grad * min(1.0, 1 / q.grad.norm().item())
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        p = p - rate * (m / (1 - 0.9**step) / ((v / (1 - 0.999**step)).sqrt() + 1e-8) + 1e-4 * decays * p)
    return totals


class SplitMix64:
    """A stream of random numbers, see package rng."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        x = self.state
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
        return x ^ x >> 31

    def below(self, n):
        return self.next() * n >> 64


def board(stream, near):
    """Returns the planes and the targets of a board. A cell has an own stone, another, or none. The
    move is the empty cell with the most own stones around it, and the reply that with the most
    others; more stones win, by those that have three or more of their own around them."""
    cells = len(near)
    stones = [stream.below(3) for _ in range(cells)]
    planes = [[8 * (stone == kind) for kind in range(3)] + [stream.below(9) for _ in range(3, PLANES)] for stone in stones]
    around = lambda cell, kind: sum(stones[n] == kind for n in near[cell][1:] if n < cells)
    empty = [cell for cell in range(cells) if stones[cell] == 2]
    best = lambda kind: max(empty, key=lambda cell: (around(cell, kind), -cell)) if empty else -1
    own, other = stones.count(0), stones.count(1)
    winner = 0 if own > other else 1
    value = (own > other) - (own < other)
    structure = [(0 if stone == 2 or value == 0 or stone != winner or around(cell, stone) < 3 else value) for cell, stone in enumerate(stones)]
    policy = [-1.0 if stone < 2 else float(cell == best(0)) for cell, stone in enumerate(stones)]
    return planes, {"policy": policy, "reply": best(1), "structure": structure, "value": float(value), "kinds": own % 8}


def learning(blocks, channels, side, boards, steps, rate, seed):
    """Returns the losses of steps of learning from random parameters."""
    net = Net(blocks, channels, side)
    near = net.near.tolist()
    stream = SplitMix64(seed)
    start = torch.tensor([((stream.next() >> 40) / 2**24 - 0.5) / 8 for _ in range(net.size())], dtype=torch.float64)
    types = {"policy": torch.float64, "value": torch.float64}

    def batches():
        for _ in range(steps):
            drawn = [board(stream, near) for _ in range(boards)]
            targets = {key: torch.tensor([t[key] for _, t in drawn], dtype=types.get(key, torch.long)) for key in drawn[0][1]}
            yield torch.tensor([planes for planes, _ in drawn], dtype=torch.float64), targets

    return {
        "blocks": blocks, "channels": channels, "side": side, "boards": boards, "rate": rate, "seed": seed,
        "losses": [float(f"{x:.6g}") for x in step_losses(net, start, batches(), rate)],
    }


def numbers(tensor):
    """Returns the numbers with nine digits, which are enough for a float32."""
    return [float(f"{x:.9g}") for x in tensor.flatten().tolist()]


def case(blocks, channels, side, boards, steps, seed):
    generator = torch.Generator().manual_seed(seed)
    random = lambda *shape: torch.rand(*shape, generator=generator, dtype=torch.float64)
    net = Net(blocks, channels, side)
    cells = len(net.near)
    parameters = ((random(net.size()) - 0.5) / 8).float().double()
    planes = (random(boards, cells, PLANES) < 1 / 3).double() * 8
    policy = random(boards, cells)
    legal = random(boards, cells) < 0.8
    legal[:, 0] = True
    policy = (policy * legal / (policy * legal).sum(1, keepdim=True)).float().double()
    reply = torch.where(random(boards) < 0.8, policy.argmax(1), -1)
    targets = {
        "policy": torch.where(legal, policy, -1.0), "reply": reply, "value": (random(boards) * 3).floor() - 1,
        "structure": (random(boards, cells) * 3).long() - 1, "kinds": (random(boards) * 8).long(),
    }
    q = parameters.clone().requires_grad_()
    losses = net.losses(q, planes, targets)
    (losses @ WEIGHTS).backward()
    with torch.no_grad():
        outputs, board = net.forward(parameters, planes)
    rate = 1e-4
    return {
        "blocks": blocks, "channels": channels, "side": side, "parameters": numbers(parameters),
        "planes": planes.long().flatten().tolist(), "targets": {k: numbers(t) if t.is_floating_point() else t.flatten().tolist() for k, t in targets.items()},
        "cells": numbers(outputs), "board": numbers(board), "losses": losses.tolist(),
        "gradient": numbers(q.grad), "rate": rate, "steps": step_losses(net, parameters, [(planes, targets)] * steps, rate),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["learning"]:
        json.dump(learning(2, 32, 3, 16, 1000, 3e-4, 5), sys.stdout)
        sys.exit()
    for arguments in [(1, 16, 2, 3, 20, 1), (2, 16, 3, 8, 300, 2)]:
        json.dump(case(*arguments), sys.stdout)
        print()
