package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;

/**
 * One worker's client of one master.
 *
 * <p>Each call but {@link #leave} throws {@link MasterGoneException} once that master has left. The worker then finds
 * the next master, which hands out its tasks again.
 *
 * <p>The worker's thread calls all methods. Its reader thread may concurrently call {@link #prefetch},
 * {@link #failed}, {@link #touch} and the task reports.
 *
 * <p>A pass over data uses the same port. It has no rounds, so calls about rounds have no effect.
 */
public interface MasterPort {
    /** Requests a task. The master first takes back any task that the worker holds. */
    Assignment next();

    /**
     * Requests a further task while the worker does {@code held}, so that it can already read the records of the
     * further one. The worker then holds both. Until it {@linkplain #startPrefetched starts} the new task, the master
     * may reassign that task to an idle worker. {@link #touch} renews both leases.
     *
     * @return a lease; any other assignment if the worker gets no further task
     */
    Assignment prefetch(Task held);

    /** Starts a prefetched task; returns false if the worker no longer holds it. Does not wait. */
    boolean startPrefetched(Task ahead);

    /** Waits until the master may have work again, at most a tenth of a second. */
    void awaitChange() throws InterruptedException;

    /** Reports that a minibatch begins or continues. From now on rounds wait for the worker. */
    void minibatchStarted();

    /** Reports that the gradient of the current minibatch is computed. */
    void gradientComputed();

    /** Reports that the worker waits for a round, so that no round waits for the worker. */
    void roundWaitStarted();

    /** Reports that the round that the worker waited for is over. */
    void roundWaitEnded();

    /**
     * Leaves the rounds until the worker begins another minibatch. Never throws, because a later master begins without
     * members.
     */
    void leave();

    /** Renews the leases of the worker that holds a task. */
    void touch(Task task);

    /** Reports the loss of a minibatch and the version that its push created. */
    void loss(float loss, long version);

    /** Emits the loss of a minibatch as a training event. */
    void logLoss(float loss, long version);

    /** Returns the model of a version to evaluate or to predict with. */
    ModelSnapshot model(long version);

    /**
     * Reports a training task whose pushes all shards hold. The master verifies this: it compares the given lives with
     * the present ones, and queries the shards if they differ. Has no effect unless the worker holds the task.
     *
     * @param lives {@linkplain ShardLife#fingerprint fingerprint} of shard lives that hold all of the task's pushes;
     *     {@link ShardLife#UNKNOWN_LIVES} if unknown
     * @throws dev.edl.runtime.ps.ShardTimeoutException if a shard is absent; the report then has no effect and must be
     *     retried
     */
    void trained(Task task, long lives) throws InterruptedException;

    /**
     * Reports an evaluation task. Has no effect unless the worker holds it.
     *
     * @param sums the metrics' sums, in the order of the metrics of the training or the evaluation
     */
    void evaluated(Task task, double[][] sums);

    /**
     * Reports a prediction task. Has no effect unless the worker holds it.
     *
     * @param outputs the model's outputs, one record after the other
     */
    void predicted(Task task, float[] outputs);

    /** Reports a failed task. Has no effect unless the worker holds it. */
    void failed(Task task, TaskFailure failure);
}
