"""A replica of a TensorFlow 2 job that outlives its workers, and a parameter server by a new start of its leader.

TF_CONFIG alone tells it what it is. In MODEL_DIR the leader keeps checkpoints and a line "step loss" for each; it trains until a
file "finish" is there. 138 is an exit code by which operators start a replica anew; the leader ends with it, too, when nothing
comes of a step for a minute, as TensorFlow may wait for ever for a replica that was started anew while it connected.
"""
import json
import os
import threading
import time

config = json.loads(os.environ["TF_CONFIG"])
# The leader that TensorFlow 2 calls chief was the master before.
name = {"master": "chief"}
config["cluster"] = {name.get(role, role): hosts for role, hosts in config["cluster"].items()}
config["task"]["type"] = name.get(config["task"]["type"], config["task"]["type"])
os.environ["TF_CONFIG"] = json.dumps(config)
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import tensorflow as tf  # noqa: E402

PATIENCE = 60
TRUE = tf.reshape(tf.linspace(-1.0, 1.0, 8), (8, 1))
folder = os.environ["MODEL_DIR"]
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()


def serve():
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc", start=True
    ).join()


progress = [time.monotonic()]


def watch():
    while time.monotonic() - progress[0] < PATIENCE:
        time.sleep(1)
    print("nothing came of a step for %d s" % PATIENCE, flush=True)
    os._exit(138)


def lead():
    threading.Thread(target=watch, daemon=True).start()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        # One on each of the two parameter servers.
        weights = tf.Variable(tf.zeros((8, 1)))
        bias = tf.Variable(tf.ones((1,)))
    checkpoint = tf.train.Checkpoint(weights=weights, bias=bias)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    first = 0
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)
        first = int(manager.latest_checkpoint.rsplit("-", 1)[1])
    print("begins with step %d" % first, flush=True)

    @tf.function
    def step(seed):
        x = tf.random.stateless_normal((64, 8), seed=tf.stack([seed, 7]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) + bias - tf.matmul(x, TRUE)))
        for variable, change in zip((weights, bias), tape.gradient(loss, (weights, bias))):
            variable.assign_sub(0.02 * change)
        return loss

    done = first
    while not os.path.exists(os.path.join(folder, "finish")):
        losses = [coordinator.schedule(step, args=(tf.constant(done + i),)) for i in range(10)]
        coordinator.join()
        with open(os.path.join(folder, "losses"), "a") as out:
            out.write("%d %.9f\n" % (done, float(losses[0].fetch())))
        done += 10
        progress[0] = time.monotonic()
        manager.save(checkpoint_number=done)
        time.sleep(0.2)
    print("ends with step %d" % done, flush=True)


print("TensorFlow %s, %s %s" % (tf.__version__, resolver.task_type, resolver.task_id), flush=True)
if resolver.task_type != "chief":
    serve()
try:
    lead()
except tf.errors.OpError as lost:
    print("lost a parameter server: %s" % str(lost).splitlines()[0][:200], flush=True)
    os._exit(138)
os._exit(0)
