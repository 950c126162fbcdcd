package dev.edl.bench.runtime;

import dev.edl.bench.harness.Barrier;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Minimal hand-written training loop of two threads of one JVM on shared parameters: plain SGD, with the records of
 * each task shuffled. It has no master, no ledger, no check for NaN, no events, and no worker that joins or dies. Whole
 * trainings are compared with this loop, because in both the parameters pass from one processor's cache to the other's.
 *
 * <p>Each thread takes tasks of eight minibatches from a counter. In asynchronous mode, a thread applies its gradient
 * to the two halves of the parameters one after the other, each under its own lock. In synchronous mode, the threads
 * meet at a {@link Barrier}, each applies the mean of both gradients to one half of the parameters, and they meet
 * again. The thread that arrives first assembles its next minibatch meanwhile, as a worker does.
 */
final class HandWrittenLoop implements AutoCloseable {
    static final int THREADS = 2;
    static final int TASK = 8;
    static final float RATE = 0.001f;

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int LOOKS = 2000;

    private final Model model;
    private final boolean rounds;
    private final int batch;
    private final long steps;
    private final Batch records;
    private final float[] parameters;
    private final float[][] gradients;
    private final ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock()};
    private final Barrier barrier = new Barrier(THREADS, BOUND);
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * Creates a loop that has not started.
     *
     * @param initial initial parameters, which are copied
     * @param batch number of records in a minibatch
     * @param rounds whether the loop is synchronous
     * @param steps number of gradients that each thread computes
     */
    HandWrittenLoop(Model model, float[] initial, Dataset data, int batch, boolean rounds, long steps)
            throws IOException {
        this.model = model;
        this.rounds = rounds;
        this.batch = batch;
        this.steps = steps;
        parameters = initial.clone();
        gradients = new float[THREADS][parameters.length];
        long count = data.shards().stream().mapToLong(DataShard::records).sum();
        records = new Batch(Math.toIntExact(count), data.features(), data.labels(), data.ids(), List.of());
        for (DataShard shard : data.shards()) {
            data.read(shard.name(), 0, shard.records(), records);
        }
        for (int t = 0; t < THREADS; t++) {
            int index = t;
            Thread thread = new Thread(() -> run(index), "hand-loop-" + t);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Returns the current parameters; consistent once {@link #await} has returned. */
    float[] parameters() {
        return parameters;
    }

    /**
     * Waits until all threads have ended.
     *
     * @throws IllegalStateException if a thread has failed, or does not end within a minute
     */
    void await() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(BOUND.toMillis());
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " did not end within " + BOUND.toSeconds() + " s");
            }
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the loop written by hand failed: " + failed, failed);
        }
    }

    /** Stops the threads after their current steps and waits for their end; none of them may be held at a gate. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        barrier.end();
        await();
    }

    private void run(int index) {
        try (Model.Session session = model.open(batch)) {
            if (!(session instanceof Model.LoadingSession loading)) {
                throw new IllegalStateException(model + " must have sessions that are loaded part by part");
            }
            Minibatches minibatches = new Minibatches();
            for (long step = 0; step < steps && !stopped; step++) {
                minibatches.prepare();
                Batch minibatch = minibatches.take();
                if (rounds) {
                    synchronous(index, loading, minibatch, minibatches, step + 1 == steps);
                } else {
                    asynchronous(index, loading, minibatch);
                }
            }
        } catch (Throwable broken) {
            failure.compareAndSet(null, broken);
            stopped = true;
            barrier.end();
        }
    }

    private void synchronous(
            int index, Model.LoadingSession session, Batch minibatch, Minibatches minibatches, boolean last) {
        session.load(parameters, 0, 0, parameters.length);
        session.gradient(minibatch, gradients[index]);
        int all = barrier.arrive();
        if (!barrier.passed(all) && !last) {
            minibatches.prepare();
        }
        if (!barrier.await(all)) {
            return;
        }
        float half = RATE / THREADS;
        float[] one = gradients[0];
        float[] other = gradients[1];
        for (int i = from(index); i < from(index + 1); i++) {
            parameters[i] -= half * (one[i] + other[i]);
        }
        barrier.await(barrier.arrive());
    }

    private void asynchronous(int index, Model.LoadingSession session, Batch minibatch) {
        for (int half = 0; half < THREADS; half++) {
            lock(half);
            try {
                session.load(parameters, from(half), from(half), from(half + 1) - from(half));
            } finally {
                locks[half].unlock();
            }
        }
        float[] gradient = gradients[index];
        session.gradient(minibatch, gradient);
        for (int half = 0; half < THREADS; half++) {
            lock(half);
            try {
                for (int i = from(half); i < from(half + 1); i++) {
                    parameters[i] -= RATE * gradient[i];
                }
            } finally {
                locks[half].unlock();
            }
        }
    }

    /**
     * Locks one half of the parameters. Spins for some microseconds before it sleeps, because a wake-up takes longer.
     */
    private void lock(int half) {
        for (int look = 0; look < LOOKS; look++) {
            if (!locks[half].isLocked() && locks[half].tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        locks[half].lock();
    }

    private int from(int half) {
        return (int) ((long) parameters.length * half / THREADS);
    }

    /** Returns the shuffled order of a task's records, a function of the task's number. */
    static int[] order(int task, int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        SplittableRandom random = new SplittableRandom(task);
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        return order;
    }

    /**
     * Minibatches of one thread, in two buffers, so that the next minibatch can be assembled while the current one is
     * used.
     */
    private final class Minibatches {
        private final Batch[] turns = {Batch.of(model, batch), Batch.of(model, batch)};
        private int turn;
        private boolean prepared;
        private int number = TASK;
        private int first;
        private int[] order = {};

        /** Assembles the next minibatch, unless that was done already; takes a new task if necessary. */
        void prepare() {
            if (prepared) {
                return;
            }
            if (number == TASK) {
                number = 0;
                int task = tasks.getAndIncrement();
                first = Math.floorMod(task, records.size() / (TASK * batch)) * TASK * batch;
                order = order(task, TASK * batch);
            }
            Batch next = turns[turn];
            next.clear("task " + first);
            for (int i = number * batch; i < (number + 1) * batch; i++) {
                next.lendRow(records, first + order[i], first + order[i]);
            }
            next.gather();
            number++;
            prepared = true;
        }

        /** Returns the minibatch that was assembled last; the next {@link #prepare} uses the other buffer. */
        Batch take() {
            prepared = false;
            Batch taken = turns[turn];
            turn = 1 - turn;
            return taken;
        }
    }
}
