package dev.edl.bench.runtime;

import dev.edl.bench.harness.ThreadGate;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Model that delegates to another model and records its sessions and their steps for a benchmark. */
public final class CountedModel implements Model {
    private static final int LOG = 1 << 20;

    private final Model model;
    private final Runnable before;
    private final int log;
    private final List<CountedSession> sessions = new CopyOnWriteArrayList<>();

    CountedModel(Model model) {
        this(model, BenchmarkTrainings.ungated());
    }

    /** Creates a model whose sessions pass a gate before each gradient. */
    CountedModel(Model model, ThreadGate gate) {
        this(model, gate, LOG);
    }

    /**
     * Creates a model whose sessions pass a gate before each gradient.
     *
     * @param log number of last steps that are recorded for each session
     */
    CountedModel(Model model, ThreadGate gate, int log) {
        this(model, gate::pass, log);
    }

    /**
     * Creates a model whose sessions run a task before each gradient.
     *
     * @param log number of last steps that are recorded for each session
     */
    public CountedModel(Model model, Runnable before, int log) {
        this.model = model;
        this.before = before;
        this.log = log;
    }

    /**
     * Returns all sessions in the order of opening: those of workers, and one or two by which the runtime tries the
     * model out.
     */
    List<CountedSession> sessions() {
        return sessions;
    }

    /** Returns the number of gradients that all sessions have computed. */
    public long steps() {
        return sessions.stream().mapToLong(CountedSession::steps).sum();
    }

    @Override
    public ParameterLayout layout() {
        return model.layout();
    }

    @Override
    public int features() {
        return model.features();
    }

    @Override
    public int labels() {
        return model.labels();
    }

    @Override
    public int ids() {
        return model.ids();
    }

    @Override
    public List<EmbeddingTable> embeddings() {
        return model.embeddings();
    }

    @Override
    public int outputs() {
        return model.outputs();
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        model.initialize(parameters, seed);
    }

    @Override
    public Session open(int capacity) {
        Session opened = model.open(capacity);
        CountedSession session = opened instanceof LoadingSession loading
                ? new CountedLoadingSession(loading, before, log)
                : new CountedSession(opened, before, log);
        sessions.add(session);
        return session;
    }

    @Override
    public String toString() {
        return model.toString();
    }

    /** Session, as of one worker, that records its steps. */
    static class CountedSession implements Session {
        private final Session session;
        private final Thread thread;
        private final Runnable before;
        /** Ring buffer of the start times of the last gradients, by {@link System#nanoTime}. */
        private final long[] began;

        /** Ring buffer of the batch seeds of the last gradients. */
        private final long[] minibatch;

        private volatile int steps;
        private volatile boolean closed;

        CountedSession(Session session, Runnable before, int log) {
            this.session = session;
            this.thread = Thread.currentThread();
            this.before = before;
            this.began = new long[log];
            this.minibatch = new long[log];
        }

        /** Returns the name of the thread that opened the session, which contains the replica's name. */
        String worker() {
            return thread.getName();
        }

        Thread thread() {
            return thread;
        }

        /** Returns the number of gradients whose computation has begun. */
        int steps() {
            return steps;
        }

        boolean closed() {
            return closed;
        }

        /**
         * Returns the start time of a gradient, by {@link System#nanoTime}.
         *
         * @param step number of the gradient in this session, from 0
         */
        long began(int step) {
            return began[step % began.length];
        }

        /**
         * Returns the seed of a gradient's batch, which identifies the minibatch.
         *
         * @param step number of the gradient in this session, from 0
         */
        long minibatch(int step) {
            return minibatch[step % minibatch.length];
        }

        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            count(batch);
            return session.gradient(parameters, batch, gradient);
        }

        final void count(Batch batch) {
            before.run();
            int step = steps;
            began[step % began.length] = System.nanoTime();
            minibatch[step % minibatch.length] = batch.seed();
            steps = step + 1;
        }

        @Override
        public void predict(float[] parameters, Batch batch, float[] outputs) {
            session.predict(parameters, batch, outputs);
        }

        @Override
        public void close() {
            closed = true;
            session.close();
        }
    }

    /** Recording session whose parameters are loaded part by part. */
    private static final class CountedLoadingSession extends CountedSession implements LoadingSession {
        private final LoadingSession session;

        CountedLoadingSession(LoadingSession session, Runnable before, int log) {
            super(session, before, log);
            this.session = session;
        }

        @Override
        public void load(float[] values, int from, int offset, int count) {
            session.load(values, from, offset, count);
        }

        @Override
        public float gradient(Batch batch, float[] gradient) {
            count(batch);
            return session.gradient(batch, gradient);
        }
    }
}
