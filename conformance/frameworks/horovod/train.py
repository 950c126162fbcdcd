"""A process of an elastic Horovod job: hosts come and go while it trains."""
import time

import horovod.torch as hvd
import torch

STEPS = 200


@hvd.elastic.run
def train(state):
    print("rank %d of %d, from step %d" % (hvd.rank(), hvd.size(), state.step), flush=True)
    while state.step < STEPS:
        x = torch.randn(64, 8)
        state.optimizer.zero_grad()
        loss = torch.mean((state.model(x) - x @ TRUE) ** 2)
        loss.backward()
        state.optimizer.step()
        state.first = loss.item() if state.first is None else state.first
        state.last = loss.item()
        if hvd.rank() == 0 and state.step % 20 == 0:
            print("step %d of %d by %d" % (state.step, STEPS, hvd.size()), flush=True)
        state.step += 1
        state.commit()
        time.sleep(0.1)


hvd.init()
TRUE = torch.linspace(-1, 1, 8).reshape(8, 1)
model = torch.nn.Linear(8, 1, bias=False)
torch.nn.init.zeros_(model.weight)
optimizer = hvd.DistributedOptimizer(
    torch.optim.SGD(model.parameters(), lr=0.05), named_parameters=model.named_parameters()
)
state = hvd.elastic.TorchState(model=model, optimizer=optimizer, step=0, first=None, last=None)
train(state)
if hvd.rank() == 0:
    print("loss %.6f -> %.6f" % (state.first, state.last), flush=True)
