"""A process of a torchrun job: it learns from the environment that torchrun makes of PET_* what it is.

Every step is written to MODEL_DIR, and a process group that begins anew goes on from there, as elastic jobs have to.
STEPS is how many there are, PAUSE how many seconds each takes at least.
"""
import os
import time

import torch
import torch.distributed as dist

folder = os.environ["MODEL_DIR"]
checkpoint = os.path.join(folder, "checkpoint.pt")
steps = int(os.environ["STEPS"])
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
true = torch.linspace(-1, 1, 8).reshape(8, 1)
weights, first, begin = torch.zeros(8, 1), None, 0
if os.path.exists(checkpoint):
    begin, weights, first = torch.load(checkpoint, weights_only=True)
# Rank 0 may be a step ahead of who read first; all must begin where one of them does.
start = torch.tensor([float(begin)])
dist.broadcast(start, 0)
dist.broadcast(weights, 0)
begin = int(start.item())
print("PyTorch %s, rank %d of %d, from step %d" % (torch.__version__, rank, world, begin), flush=True)
random = torch.Generator().manual_seed(1 + rank)
for step in range(begin, steps):
    x = torch.randn(64, 8, generator=random)
    error = x @ weights - x @ true
    parts = torch.cat([2 * x.T @ error / len(x), (error**2).mean().reshape(1, 1)])
    dist.all_reduce(parts)
    parts /= world
    weights = weights - 0.05 * parts[:8]
    loss = parts[8].item()
    first = loss if first is None else first
    if rank == 0:
        torch.save((step + 1, weights, first), checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)
        if step % 20 == 0:
            print("step %d of %d by %d" % (step, steps, world), flush=True)
    time.sleep(float(os.environ.get("PAUSE", "0")))
dist.barrier()
print("rank %d of %d, loss %.6f -> %.6f" % (rank, world, first, loss), flush=True)
dist.destroy_process_group()
