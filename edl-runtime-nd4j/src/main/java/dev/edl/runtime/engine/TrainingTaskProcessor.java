package dev.edl.runtime.engine;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.internal.TaskRecordReader;
import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.internal.TaskShardLives;
import dev.edl.runtime.engine.internal.WaitCounters;
import dev.edl.runtime.engine.pass.MetricSums;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.StepResultCheck;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work on the tasks of a training: pulls parameters, computes gradients and pushes them, or evaluates a version. The
 * worker's thread calls all methods but {@link #read}.
 */
final class TrainingTaskProcessor implements TaskProcessor {
    /**
     * Maximum wait for a round, in quarters of the task timeout. A worker that blocks the round loses its task after
     * four quarters.
     */
    private static final int ROUND_QUARTERS = 12;

    /** Push id that stands for no push. */
    private static final long NONE = -1;

    private final ReplicaContext context;
    private final LongSupplier nanos;
    private final Training training;
    /** Bound of one wait for a round. */
    private final Duration quarter;

    private final ShardsPort port;
    private final WaitCounters counters;
    private final Consumer<TrainingEvent.Loss> losses;
    /** Pulled parameters; empty if the session loads them part by part. */
    private float[] parameters = {};

    private Model.@Nullable LoadingSession loading;
    private ParameterSink sink = (values, from, offset, count) -> {};
    private final float[] gradient;
    private final WeightVersions base;
    private final TaskShardLives taken;
    /** Buffers for two minibatches, used in turn: one is filled while the round of the other is pending. */
    private final Batch[] minibatches;

    private final long[] prepared = {NONE, NONE};
    private final TaskRecordReader reading;
    private final boolean rounds;
    private final StepResultCheck check;
    private @Nullable ForwardPass evaluating;
    private long lossAt;

    /** Inputs for training one task. */
    private record TrainingInputs(
            MasterPort master, Task task, TaskRecords records, Model.Session session, AbsentServerRetry waits) {}

    /**
     * Creates the work of one worker.
     *
     * @param port the worker's client of the parameter shards
     * @param nanos monotonic time
     * @param losses receives each loss that the master is to emit
     */
    TrainingTaskProcessor(
            ReplicaContext context,
            Training training,
            ShardsPort port,
            LongSupplier nanos,
            WaitCounters counters,
            Consumer<TrainingEvent.Loss> losses) {
        this.context = context;
        this.training = training;
        this.quarter = training.taskTimeout().dividedBy(4);
        this.port = port;
        this.nanos = nanos;
        this.counters = counters;
        this.losses = losses;
        this.gradient = new float[training.model().layout().size()];
        this.base = new WeightVersions(port.count());
        this.taken = new TaskShardLives(port.count());
        this.minibatches = new Batch[] {
            Batch.of(training.model(), training.minibatch()), Batch.of(training.model(), training.minibatch())
        };
        this.reading = new TaskRecordReader(training);
        this.check = new StepResultCheck(training.modelName(), training.model().layout());
        this.rounds = training.consistency().isSynchronous();
    }

    @Override
    public TaskRecords allocateBuffer() {
        return reading.allocateBuffer();
    }

    @Override
    public void read(Task task, TaskRecords into) throws IOException {
        reading.read(task, into);
    }

    @Override
    public Model.Session open() {
        Model.Session session = training.model().open(training.minibatch());
        if (session instanceof Model.LoadingSession able && !port.observed()) {
            loading = able;
            sink = able::load;
        } else {
            parameters = new float[gradient.length];
        }
        return session;
    }

    @Override
    public Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session)
            throws InterruptedException {
        Arrays.fill(prepared, NONE);
        if (task.type() != TaskType.TRAINING) {
            return evaluate(master, task, records, session);
        }
        // Renews no lease: the master does while a server is absent. If only this worker cannot reach a server, the
        // lease expires and another worker gets the task.
        AbsentServerRetry retry =
                new AbsentServerRetry(training.absenceTimeout(), nanos, port::missing, context::check);
        train(new TrainingInputs(master, task, records, session, retry));
        long lives = taken.fingerprint();
        return () -> {
            context.check();
            retry.until(() -> {
                master.trained(task, lives);
                return task;
            });
        };
    }

    private void train(TrainingInputs now) throws InterruptedException {
        Task task = now.task;
        int first = firstOf(now);
        taken.begin(first == 0);
        for (int k = first; k < task.minibatches(); k++) {
            Batch minibatch = prepare(now, k);
            while (!push(now, k, minibatch)) {
                // Rejected as stale: another worker's gradient was applied meanwhile, so the retries end.
                context.check();
            }
            counters.minibatch();
            now.master.touch(task);
        }
    }

    /**
     * Returns the index of the task's first minibatch that not every shard holds. Queries no shard at the first attempt
     * of a range, because no shard then holds a push of it.
     */
    private int firstOf(TrainingInputs now) throws InterruptedException {
        Task task = now.task;
        if (task.attempt() == 0) {
            return 0;
        }
        long firstPush = task.pushId(0);
        counters.shards();
        return Math.toIntExact(now.waits.until(() -> port.resumeAt(firstPush, task.minibatches())) - firstPush);
    }

    /** Returns minibatch {@code k} of the task; fills its buffer unless that is done. */
    private Batch prepare(TrainingInputs now, int k) {
        int turn = k & 1;
        Batch minibatch = minibatches[turn];
        if (prepared[turn] != now.task.pushId(k)) {
            reading.fill(minibatch, now.task, k, now.records);
            prepared[turn] = now.task.pushId(k);
        }
        return minibatch;
    }

    /**
     * Computes a gradient on the newest parameters and pushes it. Returns false if it must be computed again, because
     * it was too stale or its round was lost.
     */
    private boolean push(TrainingInputs now, int k, Batch minibatch) throws InterruptedException {
        long pushId = now.task.pushId(k);
        context.check();
        float loss = gradient(now, minibatch);
        context.check();
        PushResult result = push(now, pushId, loss, minibatch);
        if (result.outcome() == PushResult.Outcome.STALE) {
            return false;
        }
        report(now.master, loss, result.version());
        if (!rounds || result.outcome() != PushResult.Outcome.ACCUMULATED) {
            return true;
        }
        if (k + 1 < now.task.minibatches()) {
            prepare(now, k + 1);
        }
        now.master.roundWaitStarted();
        boolean applied = awaitRound(now, pushId);
        now.master.roundWaitEnded();
        return applied;
    }

    /** Computes the loss on the newest parameters, and its gradient. */
    private float gradient(TrainingInputs now, Batch minibatch) throws InterruptedException {
        minibatch.clearRowGradients();
        now.master.minibatchStarted();
        Model.LoadingSession able = loading;
        counters.shards();
        now.waits.until(() -> {
            if (able == null) {
                port.pull(parameters, minibatch.tables(), base);
            } else {
                port.pull(sink, minibatch.tables(), base);
            }
            return base;
        });
        // A server may have been absent, which does not make the worker slow.
        now.master.minibatchStarted();
        float loss = able == null
                ? now.session.gradient(parameters, minibatch, gradient)
                : able.gradient(minibatch, gradient);
        now.master.gradientComputed();
        return loss;
    }

    /**
     * Pushes a gradient. If the shards reject it because a value is not finite, adds an explanation to the exception.
     */
    private PushResult push(TrainingInputs now, long pushId, float loss, Batch minibatch) throws InterruptedException {
        if (!Float.isFinite(loss)) {
            check.check(base.newest(), loss, gradient, minibatch);
        }
        counters.shards();
        try {
            PushResult result = now.waits.until(() -> port.push(pushId, base, gradient, minibatch.tables()));
            taken.pushed(pushId, base, port.answers());
            return result;
        } catch (NonFiniteGradientException bad) {
            check.check(base.newest(), loss, gradient, minibatch);
            throw bad;
        }
    }

    /**
     * Waits for the other workers of a round, and renews the task's lease meanwhile. Returns whether every shard then
     * has applied the push.
     */
    private boolean awaitRound(TrainingInputs now, long pushId) throws InterruptedException {
        AbsentServerRetry.Wait absence = now.waits.begin();
        counters.shards();
        int quarters = 0;
        while (true) {
            try {
                return port.awaitRound(pushId, quarter);
            } catch (ShardTimeoutException late) {
                if (port.missing() >= 0) {
                    absence.check(late);
                    continue;
                }
                context.check();
                quarters++;
                if (quarters == ROUND_QUARTERS) {
                    throw late;
                }
                now.master.touch(now.task);
            }
        }
    }

    private void report(MasterPort master, float loss, long version) {
        master.loss(loss, version);
        int every = training.logLossSteps();
        if (every > 0 && version / every > lossAt) {
            lossAt = version / every;
            losses.accept(new TrainingEvent.Loss(context.name(), version, loss));
            master.logLoss(loss, version);
        }
    }

    private Report evaluate(MasterPort master, Task task, TaskRecords records, Model.Session session) {
        ForwardPass pass = evaluating;
        if (pass == null) {
            pass = new ForwardPass(training.model(), training.minibatch(), true);
            evaluating = pass;
        }
        counters.master();
        ModelSnapshot model = master.model(task.modelVersion());
        MetricSums sums = new MetricSums(training.metrics());
        pass.run(task, records, model, session, sums, () -> {
            context.check();
            master.touch(task);
        });
        return () -> {
            context.check();
            sums.report(master, task);
        };
    }
}
