"""Exports networks as ONNX, with inputs, labels, outputs and gradients as .npz: export.py FOLDER SEED."""

import sys

import numpy
import torch
from torch import nn

CLASSES = 5


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(12, 12)
        self.last = nn.Linear(12, CLASSES)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)) + x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(4, 6, batch_first=True)
        self.last = nn.Linear(6, CLASSES)

    def forward(self, x):
        return self.last(self.cells(x)[0][:, -1])


def cnn():
    return nn.Sequential(
        nn.Conv2d(2, 6, 3, padding=1),
        nn.BatchNorm2d(6),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 8, 3, stride=2, padding=1),
        nn.LeakyReLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.5),
        nn.Linear(8, CLASSES),
    )


def export(folder, name, net, shape, **options):
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.running_mean)
            nn.init.uniform_(module.running_var, 0.5, 2)
    net.eval()
    x = torch.randn(32, *shape)
    labels = torch.randint(CLASSES, (32,))
    scores = net(x)
    loss = nn.functional.cross_entropy(scores, labels)
    loss.backward()
    arrays = {"gradient/" + key: value.grad.numpy() for key, value in net.named_parameters()}
    if options.get("do_constant_folding", True) and name == "folded":
        arrays = {}
    numpy.savez(
        f"{folder}/{name}.npz",
        features=x.reshape(32, -1).numpy(),
        labels=labels.numpy().astype("float32"),
        outputs=torch.softmax(scores, 1).detach().numpy(),
        loss=loss.detach().numpy().reshape(1),
        **arrays,
    )
    torch.onnx.export(net, x[:1], f"{folder}/{name}.onnx", opset_version=13, **options)


def main(folder, seed):
    torch.manual_seed(seed)
    kept = {"training": torch.onnx.TrainingMode.PRESERVE, "do_constant_folding": False}
    mlp = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 8), nn.Sigmoid(), nn.Linear(8, CLASSES))
    export(folder, "mlp", mlp, (12,), dynamic_axes={"input.1": {0: "batch"}}, input_names=["input.1"])
    export(folder, "residual", Residual(), (12,))
    export(folder, "gelu", nn.Sequential(nn.Linear(12, 8), nn.GELU(), nn.Linear(8, CLASSES)), (12,))
    export(folder, "cnn", cnn(), (2, 8, 8), **kept)
    # The exporter multiplies the normalization into the convolution, whose parameters then have other names.
    export(folder, "folded", cnn(), (2, 8, 8))
    export(folder, "lstm", Lstm(), (3, 4))
    print(torch.__version__.split("+")[0])


main(sys.argv[1], int(sys.argv[2]))
