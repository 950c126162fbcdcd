"""A replica of an MXNet job that outlives the loss of any of its replicas; DMLC_* alone tells it what it is.

ps-lite replaces one node, once in the life of its scheduler, by one of the same role, after the heartbeat of the lost one has
stopped: that is how the first lost worker comes back. What a server held is lost with it, and at a second replacement the
scheduler ends itself. So whatever else is lost makes all replicas start anew, from the checkpoint. They agree on that by files in
MODEL_DIR, where the worker of rank 0 keeps checkpoints and a line "step loss" for each; it trains until a file "finish" is there.
138 is an exit code by which operators start a replica anew.
"""
import os
import threading
import time
import warnings

warnings.filterwarnings("ignore")
folder = os.environ["MODEL_DIR"]
role = os.environ["DMLC_ROLE"]
heartbeat = int(os.environ["PS_HEARTBEAT_TIMEOUT"])


def taken(name):
    """Whether a file was there before this call, which makes it."""
    try:
        open(os.path.join(folder, name), "x").close()
        return False
    except FileExistsError:
        return True


def starts():
    return sum(name.startswith("start-") for name in os.listdir(folder))


start = starts()
replaces = taken("replica-%d-%s" % (start, os.environ["HOSTNAME"]))
if replaces and (role != "worker" or taken("replaced-%d" % start)):
    start += 1
    taken("start-%d" % start)
    taken("replica-%d-%s" % (start, os.environ["HOSTNAME"]))
    replaces = False
print("%s of start %d%s" % (role, start, ", in the place of a lost one" if replaces else ""), flush=True)


def watch():
    while starts() == start:
        time.sleep(0.2)
    print("all start anew", flush=True)
    os._exit(138)


threading.Thread(target=watch, daemon=True).start()
# Nothing may reach the new scheduler that was meant for the old one; a lost node counts as lost some time after it was.
time.sleep(heartbeat + 2 if replaces else 2 if start else 0)

# In the scheduler and the servers this import is the whole program: it serves until the workers are done.
import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402

store = mx.kv.create("dist_async")
print("MXNet %s, worker %d of %d" % (mx.__version__, store.rank, store.num_workers), flush=True)
store.set_optimizer(mx.optimizer.SGD(learning_rate=0.005))
checkpoint = os.path.join(folder, "checkpoint.npz")
# Of two keys each server has one.
values = {"weights": np.zeros((8, 1), "float32"), "bias": np.ones((1,), "float32"), "step": 0}
if replaces:
    # The servers have them; what rank 0 gives is a gradient for them.
    values["bias"] *= 0
elif os.path.exists(checkpoint):
    values = dict(np.load(checkpoint))
for key in ("weights", "bias"):
    store.init(key, mx.nd.array(values[key]))
now = {key: mx.nd.array(values[key]) for key in ("weights", "bias")}
true = np.linspace(-1, 1, 8).reshape(8, 1).astype("float32")
rng = np.random.RandomState(1 + store.rank)
step = int(values["step"])
if replaces and os.path.exists(checkpoint):
    step = int(np.load(checkpoint)["step"])
print("begins with step %d" % step, flush=True)
while not os.path.exists(os.path.join(folder, "finish")):
    for key, value in now.items():
        store.pull(key, out=value)
    x = rng.normal(size=(64, 8)).astype("float32")
    error = x.dot(now["weights"].asnumpy()) + now["bias"].asnumpy() - x.dot(true)
    if step % 10 == 0 and store.rank == 0:
        with open(os.path.join(folder, "losses"), "a") as out:
            out.write("%d %.9f\n" % (step, float((error**2).mean())))
        with open(checkpoint + ".part", "wb") as out:
            np.savez(out, step=step, **{key: value.asnumpy() for key, value in now.items()})
        os.replace(checkpoint + ".part", checkpoint)
    store.push("weights", mx.nd.array(2 * x.T.dot(error) / len(x)))
    store.push("bias", mx.nd.array([2 * error.mean()]))
    step += 1
    time.sleep(0.05)
print("ends with step %d" % step, flush=True)
# Its end is the end of ps-lite here, which waits for that of the others; without it ps-lite ends this process by a signal.
del store
