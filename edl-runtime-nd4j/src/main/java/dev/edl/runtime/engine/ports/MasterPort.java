package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;

/**
 * One worker's end of one master. Each call but {@link #leave} throws {@link MasterGoneException} once that master has left; the worker
 * then finds the next one, which hands its tasks out again. For the worker's thread; {@link #prefetch}, {@link #failed}, {@link
 * #touch} and the reports of tasks also for its reader's, at the same time.
 *
 * <p>A pass over data has the same port. It has no rounds, so calls about them have no effect.
 */
public interface MasterPort {
    /** Asks for work, and holds nothing else from here on. */
    Assignment next();

    /**
     * Asks for the task behind the one that the worker holds, to read its records meanwhile. It holds both then, and can lose
     * the new one to a worker without work until it {@linkplain #startPrefetched starts} it. A touch keeps both alive.
     *
     * @return a lease, or anything else when there is none for it
     */
    Assignment prefetch(Task held);

    /** Returns whether a task that was asked for ahead is still the worker's, which begins it then. Does not wait. */
    boolean startPrefetched(Task ahead);

    /** Waits, at most a tenth of a second, until there may be work. */
    void awaitChange() throws InterruptedException;

    /** Begins or continues a minibatch; from here on rounds wait for the worker. */
    void minibatchStarted();

    /** Has the gradient of the minibatch that it began. */
    void gradientComputed();

    /** Waits for a round itself, so no round waits for it. */
    void roundWaitStarted();

    /** Continues behind a round that it waited for. */
    void roundWaitEnded();

    /** Leaves the rounds until it begins another minibatch. Never throws: a later master begins without members. */
    void leave();

    /** Keeps the lease of a task alive. */
    void touch(Task task);

    /** Reports the loss of a minibatch and the version that its push made. */
    void loss(float loss, long version);

    /** Emits a loss as an event of the training. */
    void logLoss(float loss, long version);

    /** Returns the model of an evaluation or a prediction. */
    ModelSnapshot model(long version);

    /**
     * Reports a training task whose pushes all shards hold, which the master looks up. Without effect unless the worker holds
     * the task.
     *
     * @throws dev.edl.runtime.ps.ShardTimeoutException when a shard is absent; the report has no effect and is to be repeated
     */
    void trained(Task task) throws InterruptedException;

    /**
     * Reports an evaluation task. Without effect unless the worker holds it.
     *
     * @param sums the metrics' sums, in the order of the training's or the evaluation's metrics
     */
    void evaluated(Task task, double[][] sums);

    /**
     * Reports a prediction task. Without effect unless the worker holds it.
     *
     * @param outputs the model's, record behind record
     */
    void predicted(Task task, float[] outputs);

    /** Reports a task that it could not do. Without effect unless the worker holds it. */
    void failed(Task task, TaskFailure failure);
}
