"""A replica of an MXNet job: it learns from DMLC_* alone what it is. KIND is dist_sync, dist_async or dist_device_sync."""
import os
import warnings

warnings.filterwarnings("ignore")
# In the scheduler and the servers this import is the whole program: it serves until the workers are done.
import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402

store = mx.kv.create(os.environ["KIND"])
print("MXNet %s, %s, worker %d of %d" % (mx.__version__, store.type, store.rank, store.num_workers), flush=True)
true = np.linspace(-1, 1, 8).reshape(8, 1).astype("float32")
rng = np.random.RandomState(1 + store.rank)
store.init("weights", mx.nd.zeros((8, 1)))
store.set_optimizer(mx.optimizer.SGD(learning_rate=0.05))
weights = mx.nd.zeros((8, 1))
losses = []
for step in range(100):
    store.pull("weights", out=weights)
    x = rng.normal(size=(64, 8)).astype("float32")
    error = x.dot(weights.asnumpy()) - x.dot(true)
    losses.append(float((error**2).mean()))
    if step == 0:
        # Who starts later would else begin with what the other has learned, under dist_async with all of it.
        store._barrier()
    store.push("weights", mx.nd.array(2 * x.T.dot(error) / len(x)))
# Who ends first would take the servers from the other.
store._barrier()
print("loss %.6f -> %.6f" % (losses[0], losses[-1]), flush=True)
