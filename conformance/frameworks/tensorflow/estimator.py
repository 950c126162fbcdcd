"""A replica of a job of tf.estimator, whose leader is the chief or, as before TensorFlow 2, the master. MODEL_DIR is shared."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

tf1 = tf.compat.v1
tf1.logging.set_verbosity(tf1.logging.ERROR)
TRUE = [[0.1 * i - 0.3] for i in range(8)]


def data():
    x = tf.random.normal((64, 8), seed=7)
    return {"x": x}, tf.matmul(x, tf.constant(TRUE))


def model(features, labels, mode):
    weights = tf1.get_variable("weights", (8, 1), initializer=tf1.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], weights) - labels))
    step = tf1.train.get_or_create_global_step()
    train = tf1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def main():
    config = tf.estimator.RunConfig(model_dir=os.environ["MODEL_DIR"], tf_random_seed=1, save_checkpoints_steps=100)
    print(
        "TensorFlow %s, %s %d of %s, chief %s"
        % (tf.__version__, config.task_type, config.task_id, config.cluster_spec.as_dict(), config.is_chief),
        flush=True,
    )
    estimator = tf.estimator.Estimator(model, config=config)
    train = tf.estimator.TrainSpec(data, max_steps=300)
    evaluate = tf.estimator.EvalSpec(data, steps=5, start_delay_secs=0, throttle_secs=0)
    tf.estimator.train_and_evaluate(estimator, train, evaluate)
    if config.is_chief:
        # Weights of zero have a loss of 0.44.
        result = estimator.evaluate(data, steps=5)
        print("loss after %d steps: 0.440000 -> %.6f" % (result["global_step"], result["loss"]), flush=True)


if __name__ == "__main__":
    main()
