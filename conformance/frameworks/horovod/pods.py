"""A process of an elastic Horovod job in pods, which share /shared: rank 0 writes a line "step loss size" for each step there.

It trains until a file "finish" is there. The loss halves about every 30 steps, whatever the number of processes.
"""
import os
import time

import horovod.torch as hvd
import torch

SHARED = "/shared"


def finished():
    """Decides for all processes at once: one that ended alone would leave the others waiting."""
    seen = float(os.path.exists(os.path.join(SHARED, "finish")))
    return hvd.allreduce(torch.tensor(seen), name="finished").item() > 0


@hvd.elastic.run
def train(state):
    print("rank %d of %d, from step %d" % (hvd.rank(), hvd.size(), state.step), flush=True)
    while not finished():
        x = torch.randn(64, 8)
        state.optimizer.zero_grad()
        loss = torch.mean((state.model(x) - x @ TRUE) ** 2)
        loss.backward()
        state.optimizer.step()
        if hvd.rank() == 0:
            with open(os.path.join(SHARED, "losses"), "a") as file:
                file.write("%d %.9g %d\n" % (state.step, loss.item(), hvd.size()))
        state.step += 1
        state.commit()
        time.sleep(0.2)


hvd.init()
torch.manual_seed(hvd.rank())
TRUE = torch.linspace(-1, 1, 8).reshape(8, 1)
model = torch.nn.Linear(8, 1, bias=False)
torch.nn.init.zeros_(model.weight)
optimizer = hvd.DistributedOptimizer(
    torch.optim.SGD(model.parameters(), lr=0.006), named_parameters=model.named_parameters()
)
train(hvd.elastic.TorchState(model=model, optimizer=optimizer, step=0))
