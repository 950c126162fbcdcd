package dev.edl.runtime;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.ParameterSink;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardGroup;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskType;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A worker: asks the master for tasks, pulls parameters, computes gradients and pushes them, until there is no more
 * work. Nothing of its state matters to the job: it may stop between any two calls.
 */
final class WorkerMain {
    /** Quarters of the task's timeout that a round is waited for; what holds it up loses its task after four. */
    private static final int ROUND_QUARTERS = 12;

    /** No push. */
    private static final long NONE = -1;

    private final ReplicaContext context;
    private final TrainingServices services;
    private final Training training;
    private final ShardGroup shards;
    /** Empty for a session that is loaded part by part. */
    private float[] parameters = {};

    private Model.@Nullable LoadingSession loading;
    private ParameterSink sink = (values, from, offset, count) -> {};
    private final float[] gradient;
    private final long[] versions;
    /** Minibatches by turns, so that the next one is put together while the round of this one is waited for. */
    private final Batch[] minibatches;

    private final long[] prepared = {NONE, NONE};
    private final Batch records;
    private final boolean rounds;
    private final GradientCheck check;
    private long lossAt;

    WorkerMain(ReplicaContext context, TrainingServices services) {
        this.context = context;
        this.services = services;
        this.training = services.training();
        this.shards = services.shards();
        int size = training.model().layout().size();
        this.gradient = new float[size];
        this.versions = new long[shards.shards()];
        Dataset data = training.data();
        this.minibatches = new Batch[] {
            Batch.of(training.model(), training.minibatch()), Batch.of(training.model(), training.minibatch())
        };
        this.records = new Batch(
                training.minibatch() * training.minibatchesPerTask(),
                data.features(),
                data.labels(),
                data.ids(),
                List.of());
        this.check = new GradientCheck(training.modelName(), training.model().layout());
        this.rounds = training.consistency().isSynchronous();
    }

    /** Works until the training is complete or the replica is stopped. */
    void run() throws InterruptedException {
        try (Model.Session session = training.model().open(training.minibatch())) {
            if (session instanceof Model.LoadingSession able && !shards.observed()) {
                loading = able;
                sink = able::load;
            } else {
                parameters = new float[gradient.length];
            }
            work(session);
        } finally {
            shards.leave(context.name());
        }
    }

    private void work(Model.Session session) throws InterruptedException {
        boolean more = true;
        while (more) {
            context.check();
            try {
                Optional<TrainingMaster> master = services.master(context);
                more = master.isPresent() && turn(master.get(), session);
            } catch (MasterGone gone) {
                shards.leave(context.name());
                // What the shards have applied stays; the next master hands the task out again, and it is resumed.
                more = true;
            }
        }
    }

    /** Asks for work and does it; whether there may be more. */
    private boolean turn(TrainingMaster master, Model.Session session) throws InterruptedException {
        Assignment assignment = master.next(context.name());
        boolean trains =
                assignment instanceof Assignment.Lease lease && lease.task().type() == TaskType.TRAINING;
        if (!trains) {
            // Between two training tasks it stays in the rounds; whatever else it does must not hold them up.
            shards.leave(context.name());
        }
        if (assignment instanceof Assignment.Finished) {
            return false;
        }
        if (assignment instanceof Assignment.Lease lease) {
            perform(master, lease.task(), session);
        } else {
            master.awaitChange();
        }
        return true;
    }

    private void perform(TrainingMaster master, Task task, Model.Session session) throws InterruptedException {
        try {
            if (task.type() == TaskType.EVALUATION) {
                double[][] sums = evaluate(task, session);
                context.check();
                master.complete(task, sums);
            } else {
                train(master, task, session);
                context.check();
                master.complete(task, null);
            }
        } catch (ReplicaStopped | MasterGone stop) {
            throw stop;
        } catch (ModelException broken) {
            master.broken(Reason.of(broken));
            throw broken;
        } catch (IOException unreadable) {
            // Another worker may see what this one cannot; too many tries fail the job with this message.
            context.check();
            master.fail(task, unreadable);
        } catch (RuntimeException failure) {
            if (!context.stopped()) {
                master.fail(task, failure);
            }
            throw failure;
        }
    }

    private void train(TrainingMaster master, Task task, Model.Session session)
            throws IOException, InterruptedException {
        long firstPush = task.pushId(0);
        int first = Math.toIntExact(shards.resumeAt(firstPush, task.minibatches()) - firstPush);
        if (first == task.minibatches()) {
            return;
        }
        int[] order = load(training.data(), task, wholeEnd(task), training.shuffle());
        shards.join(context.name());
        for (int k = first; k < task.minibatches(); k++) {
            step(master, task, k, order, session);
            master.touch(task);
        }
    }

    private void step(TrainingMaster master, Task task, int k, int[] order, Model.Session session)
            throws InterruptedException {
        Batch minibatch = prepare(task, k, order);
        while (!push(master, task, k, order, minibatch, session)) {
            // Refused as stale: somebody else's gradient was applied meanwhile, so trying again ends.
            context.check();
        }
    }

    /** Puts a minibatch together, unless that was done already. */
    private Batch prepare(Task task, int k, int[] order) {
        int turn = k & 1;
        Batch minibatch = minibatches[turn];
        if (prepared[turn] == task.pushId(k)) {
            return minibatch;
        }
        int from = k * task.minibatchSize();
        int to = Math.min(order.length, from + task.minibatchSize());
        minibatch.clear(
                training.shuffle()
                        ? "minibatch " + k + " of " + task.range() + ", shuffled in epoch " + (task.epoch() + 1)
                        : task.range(k).toString());
        for (int i = from; i < to; i++) {
            minibatch.lendRow(records, order[i], task.start() + order[i]);
        }
        minibatch.seed(Initializer.mix(training.seed() ^ Initializer.mix(task.pushId(k))));
        minibatch.gather();
        prepared[turn] = task.pushId(k);
        return minibatch;
    }

    /** One gradient on the newest parameters; whether every shard has it. */
    private boolean push(TrainingMaster master, Task task, int k, int[] order, Batch minibatch, Model.Session session)
            throws InterruptedException {
        long pushId = task.pushId(k);
        context.check();
        float loss = gradient(minibatch, session);
        context.check();
        PushResult result = push(pushId, loss, minibatch);
        if (result.outcome() == PushResult.Outcome.STALE) {
            return false;
        }
        report(loss, result.version());
        if (!rounds || result.outcome() != PushResult.Outcome.ACCUMULATED) {
            return true;
        }
        if (k + 1 < task.minibatches()) {
            prepare(task, k + 1, order);
        }
        return awaitRound(master, task, pushId);
    }

    /** The loss on the newest parameters, and its gradient. */
    private float gradient(Batch minibatch, Model.Session session) throws InterruptedException {
        minibatch.clearRowGradients();
        Model.LoadingSession able = loading;
        if (able != null) {
            shards.pull(context.name(), sink, minibatch.tables(), versions);
            return able.gradient(minibatch, gradient);
        }
        shards.pull(context.name(), parameters, minibatch.tables(), versions);
        return session.gradient(parameters, minibatch, gradient);
    }

    /** The shards look the gradient through, so it is looked through here only to say what is wrong with it. */
    private PushResult push(long pushId, float loss, Batch minibatch) throws InterruptedException {
        if (!Float.isFinite(loss)) {
            check.check(max(versions), loss, gradient, minibatch);
        }
        try {
            return shards.push(context.name(), pushId, versions, gradient, minibatch.tables());
        } catch (NonFiniteGradientException bad) {
            check.check(max(versions), loss, gradient, minibatch);
            throw bad;
        }
    }

    /** Waits for the others of a round, and lets the master know meanwhile that the task is not forgotten. */
    private boolean awaitRound(TrainingMaster master, Task task, long pushId) throws InterruptedException {
        Duration quarter = training.taskTimeout().dividedBy(4);
        for (int i = 1; ; i++) {
            try {
                return shards.awaitRound(context.name(), pushId, quarter);
            } catch (ShardTimeoutException late) {
                context.check();
                if (i == ROUND_QUARTERS) {
                    throw late;
                }
                master.touch(task);
            }
        }
    }

    private void report(float loss, long version) {
        services.loss().add(loss);
        services.history().reached(version);
        int every = training.logLossSteps();
        if (every > 0 && version / every > lossAt) {
            lossAt = version / every;
            services.events().emit(new TrainingEvent.Loss(context.name(), version, loss));
        }
    }

    private double[][] evaluate(Task task, Model.Session session) throws IOException {
        Dataset validation = training.validation().orElseThrow();
        int[] order = load(validation, task, task.end(), false);
        ModelSnapshot model = services.evaluations().model(task.modelVersion());
        int width = training.model().outputs();
        float[] outputs = new float[training.minibatch() * width];
        Batch minibatch = minibatches[0];
        prepared[0] = NONE;
        Metric.Partial[] partials =
                training.metrics().stream().map(Metric::start).toArray(Metric.Partial[]::new);
        for (int from = 0; from < order.length; from += training.minibatch()) {
            context.check();
            int to = Math.min(order.length, from + training.minibatch());
            minibatch.clear(task.range(from / training.minibatch()).toString());
            for (int i = from; i < to; i++) {
                minibatch.addRow(records, i, task.start() + i);
            }
            model.fill(minibatch.gather());
            session.predict(model.weights(), minibatch, outputs);
            for (Metric.Partial partial : partials) {
                partial.add(outputs, width, minibatch);
            }
        }
        double[][] sums = new double[partials.length][];
        for (int i = 0; i < partials.length; i++) {
            sums[i] = partials[i].sums();
        }
        return sums;
    }

    /**
     * Where a task would end that is not cut short. A cut one trains the first minibatches of the whole one's shuffle, so
     * that a minibatch has the same records when the training is resumed with a larger bound.
     */
    private long wholeEnd(Task task) {
        if (!training.shuffle()) {
            return task.end();
        }
        long end = task.start() + (long) training.minibatch() * training.minibatchesPerTask();
        for (DataShard shard : training.data().shards()) {
            if (shard.name().equals(task.shard())) {
                return Math.min(end, shard.records());
            }
        }
        throw new IllegalStateException("the data has no shard \"" + task.shard() + "\"");
    }

    /** Reads a task's records; the order they are trained in depends on the seed, the epoch and the task alone. */
    private int[] load(Dataset data, Task task, long end, boolean shuffle) throws IOException {
        records.clear(task.shard());
        Arrays.fill(prepared, NONE);
        data.read(task.shard(), task.start(), end, records);
        int count = Math.toIntExact(end - task.start());
        if (records.size() != count) {
            throw new IOException(task.shard() + "[" + task.start() + ".." + end + "): expected " + count
                    + " records, the dataset gave " + records.size());
        }
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        if (shuffle) {
            SplittableRandom random = new SplittableRandom(
                    training.seed() * 0x9E3779B97F4A7C15L + task.epoch() * 0xBF58476D1CE4E5B9L + task.firstMinibatch());
            for (int i = count - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
        }
        return order;
    }

    private static long max(long[] versions) {
        long max = versions[0];
        for (long v : versions) {
            max = Math.max(max, v);
        }
        return max;
    }
}
