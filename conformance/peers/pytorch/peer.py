"""PyTorch as a peer of EDL's models: makes the same step on the same numbers, on one thread.

    peer.py FOLDER

Reads commands from standard input, a line each, and answers each with a line, "ok ..." or "error ...". Vectors pass
through files of little-endian floats in FOLDER.

    about                     version, threads and kernels
    model mlp 784 128 10      dense layers with ReLU between them
    model cnn RATE            conv 3x3 1->32, ReLU, conv 3x3 32->64, ReLU, batch norm, max pool 2, dropout, dense 10
    load ROWS                 takes the files "parameters" (in EDL's layout), "features", "labels" and "mask"
    gradient                  one step with the mask in the place of dropout; writes the file "gradient" in EDL's layout; answers the loss
    steps N                   N steps; answers the seconds that they took
"""

import array
import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


class Mlp(nn.Module):
    """EDL's kernels are [inputs, outputs], PyTorch's [outputs, inputs]."""

    def __init__(self, widths):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in zip(widths, widths[1:]))
        self.shape = (widths[0],)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)

    def parts(self):
        """The parameters in EDL's order: each with its shape there, and the permutation that makes it PyTorch's."""
        for layer in self.layers:
            yield layer.weight, (layer.in_features, layer.out_features), (1, 0)
            yield layer.bias, (layer.out_features,), (0,)


class Cnn(nn.Module):
    """The network for MNIST of ElasticDL's model zoo; 111,114 parameters.

    EDL's convolution kernels are [height, width, inputs, outputs], and images and what becomes of them [height, width,
    channels], as in TensorFlow, from which the network is. Here channels come first, PyTorch's own order.
    """

    def __init__(self, rate):
        super().__init__()
        self.first = nn.Conv2d(1, 32, 3)
        self.second = nn.Conv2d(32, 64, 3)
        self.norm = nn.BatchNorm2d(64, eps=1e-3, momentum=0.01)
        self.drop = nn.Dropout(rate)
        self.mask = None
        self.dense = nn.Linear(9216, 10)
        # With one channel both orders are the same.
        self.shape = (1, 28, 28)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = self.norm(torch.relu(self.second(x)))
        x = F.max_pool2d(x, 2)
        x = self.drop(x) if self.mask is None else x * self.mask
        return self.dense(torch.flatten(x, 1))

    def parts(self):
        for convolution, inputs, outputs in ((self.first, 1, 32), (self.second, 32, 64)):
            yield convolution.weight, (3, 3, inputs, outputs), (3, 2, 0, 1)
            yield convolution.bias, (outputs,), (0,)
        yield self.norm.weight, (64,), (0,)
        yield self.norm.bias, (64,), (0,)
        yield self.dense.weight, (12, 12, 64, 10), (3, 2, 0, 1)
        yield self.dense.bias, (10,), (0,)


def read(folder, name):
    values = array.array("f")
    with open(os.path.join(folder, name), "rb") as file:
        values.frombytes(file.read())
    if sys.byteorder != "little":
        values.byteswap()
    return torch.tensor(values, dtype=torch.float32)


def write(folder, name, vector):
    values = array.array("f", vector.tolist())
    if sys.byteorder != "little":
        values.byteswap()
    with open(os.path.join(folder, name), "wb") as file:
        values.tofile(file)


def inverse(permutation):
    return tuple(permutation.index(d) for d in range(len(permutation)))


class Peer:
    def __init__(self, folder):
        self.folder = folder
        self.model = None
        self.features = None
        self.labels = None

    def about(self):
        return (
            f"PyTorch {torch.__version__} threads {torch.get_num_threads()}"
            f" {torch.backends.cpu.get_cpu_capability()} oneDNN {torch.backends.mkldnn.is_available()}"
            f" MKL {torch.backends.mkl.is_available()}"
        )

    def build(self, kind, *sizes):
        if kind == "mlp":
            self.model = Mlp([int(s) for s in sizes])
        elif kind == "cnn":
            self.model = Cnn(float(sizes[0]))
        else:
            raise ValueError(f"there is no model {kind}")
        self.model.train()
        return str(sum(p.numel() for p in self.model.parameters()))

    def load(self, rows):
        flat = read(self.folder, "parameters")
        at = 0
        with torch.no_grad():
            for part, shape, permutation in self.model.parts():
                part.copy_(flat[at : at + part.numel()].reshape(shape).permute(permutation).reshape(part.shape))
                at += part.numel()
        if at != flat.numel():
            raise ValueError(f"the parameters must be {at} floats, were {flat.numel()}")
        self.features = read(self.folder, "features").reshape(rows, *self.model.shape)
        self.labels = read(self.folder, "labels").long()
        return str(at)

    def step(self):
        self.model.zero_grad(set_to_none=True)
        loss = F.cross_entropy(self.model(self.features), self.labels)
        loss.backward()
        return loss

    def gradient(self):
        if isinstance(self.model, Cnn):
            self.model.mask = read(self.folder, "mask").reshape(-1, 12, 12, 64).permute(0, 3, 1, 2)
        loss = self.step()
        self.model.mask = None
        flat = []
        for part, shape, permutation in self.model.parts():
            moved = part.grad.reshape([shape[d] for d in permutation])
            flat.append(moved.permute(inverse(permutation)).reshape(-1))
        write(self.folder, "gradient", torch.cat(flat))
        return repr(loss.item())

    def steps(self, count):
        began = time.perf_counter()
        for _ in range(count):
            self.step()
        return repr(time.perf_counter() - began)

    def answer(self, words):
        if words[0] == "about":
            return self.about()
        if words[0] == "model":
            return self.build(*words[1:])
        if words[0] == "load":
            return self.load(int(words[1]))
        if words[0] == "gradient":
            return self.gradient()
        if words[0] == "steps":
            return self.steps(int(words[1]))
        raise ValueError(f"there is no command {words[0]}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    peer = Peer(sys.argv[1])
    for line in sys.stdin:
        try:
            print("ok", peer.answer(line.split()), flush=True)
        except Exception as e:  # the other side has to know, whatever it is
            print("error", type(e).__name__, str(e).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
