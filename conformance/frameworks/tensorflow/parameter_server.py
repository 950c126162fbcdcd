"""A replica of a TensorFlow 2 job: it learns from TF_CONFIG alone what it is. MODEL_DIR is where chief and evaluator meet."""
import os
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import tensorflow as tf  # noqa: E402

TRUE = tf.reshape(tf.linspace(-1.0, 1.0, 8), (8, 1))
folder = os.environ["MODEL_DIR"]
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
task = resolver.task_type


def loss_of(weights, seed):
    x = tf.random.stateless_normal((64, 8), seed=(seed, 7))
    return tf.reduce_mean(tf.square(tf.matmul(x, weights) - tf.matmul(x, TRUE)))


def serve():
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=task, task_index=resolver.task_id, protocol="grpc", start=True
    ).join()


def chief():
    strategy = tf.distribute.ParameterServerStrategy(
        resolver, variable_partitioner=tf.distribute.experimental.partitioners.FixedShardsPartitioner(2)
    )
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        weights = tf.Variable(tf.zeros((8, 1)), name="weights")
    print("variables on " + ", ".join(sorted(v.device.split("/device")[0] for v in weights.variables)), flush=True)

    @tf.function
    def step(seed):
        with tf.GradientTape() as tape:
            loss = loss_of(tf.convert_to_tensor(weights), seed)
        # Each shard by itself: the gradient's rows are split as the variable's are.
        for shard, change in zip(weights.variables, tape.gradient(loss, weights.variables)):
            shard.assign_sub(0.05 * change)
        return loss

    first = coordinator.schedule(step, args=(tf.constant(0),))
    coordinator.join()
    for seed in range(1, 200):
        last = coordinator.schedule(step, args=(tf.constant(seed),))
    coordinator.join()
    print("loss %.6f -> %.6f" % (float(first.fetch()), float(last.fetch())), flush=True)
    tf.train.Checkpoint(weights=weights).write(os.path.join(folder, "final"))
    open(os.path.join(folder, "written"), "w").close()
    wait_for("evaluated")


def evaluator():
    wait_for("written")
    weights = tf.Variable(tf.ones((8, 1)))
    tf.train.Checkpoint(weights=weights).read(os.path.join(folder, "final")).assert_consumed()
    print("evaluated, loss %.6f" % loss_of(weights, 12345).numpy(), flush=True)
    open(os.path.join(folder, "evaluated"), "w").close()


def wait_for(name):
    end = time.monotonic() + 90
    while not os.path.exists(os.path.join(folder, name)):
        if time.monotonic() > end:
            raise SystemExit("waited 90 s for %s" % name)
        time.sleep(0.1)


print("TensorFlow %s, %s %s of %s" % (tf.__version__, task, resolver.task_id, resolver.cluster_spec().as_dict()), flush=True)
{"chief": chief, "evaluator": evaluator, "ps": serve, "worker": serve}[task]()
