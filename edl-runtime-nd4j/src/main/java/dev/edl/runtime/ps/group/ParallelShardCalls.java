package dev.edl.runtime.ps.group;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardsClosedException;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to several shards. Calls shards of other processes in parallel, on its own threads, and shards of
 * this JVM on the caller's thread. A shard that is gone loses its slot. Each {@link ShardPort} bounds its own waits. Safe
 * for several threads.
 */
final class ParallelShardCalls implements AutoCloseable {
    /** A request to one shard. */
    @FunctionalInterface
    interface Call<T> {
        T on(int index, ShardPort shard) throws InterruptedException;
    }

    /** A request without a result. */
    @FunctionalInterface
    interface Order {
        void to(int index, ShardPort shard) throws InterruptedException;
    }

    private static final System.Logger LOG = System.getLogger(ParallelShardCalls.class.getName());

    private final ShardSlots<ShardPort> slots;
    private final ExecutorService threads;

    /**
     * Creates an object that calls the shards in these slots.
     *
     * @param name prefix of the thread names
     */
    ParallelShardCalls(String name, ShardSlots<ShardPort> slots) {
        this.slots = slots;
        this.threads = Executors.newCachedThreadPool(DaemonThreads.numbered(name + "-shards-"));
    }

    /**
     * Calls all shards and returns their results, in order. An interrupt ends the wait, and interrupts the calls in
     * progress.
     *
     * @throws StaleTermException when any shard follows a later master
     * @throws ShardGoneException when a shard is gone
     */
    <T> List<T> all(ShardPort[] shards, Call<T> call) throws InterruptedException {
        return all(shards, call, false);
    }

    /**
     * Calls all shards as {@link #all(ShardPort[], Call)} does.
     *
     * @param parallel whether the shards of this JVM are called in parallel too, because the call takes long
     */
    <T> List<T> all(ShardPort[] shards, Call<T> call, boolean parallel) throws InterruptedException {
        List<FutureTask<T>> tasks = new ArrayList<>();
        List<FutureTask<T>> own = new ArrayList<>();
        for (int i = 0; i < shards.length; i++) {
            FutureTask<T> task = task(i, shards[i], call);
            tasks.add(task);
            // With a single shard, as in most small trainings, no other thread is needed.
            if (i == shards.length - 1 || (!parallel && shards[i].here())) {
                own.add(task);
            } else {
                begin(task);
            }
        }
        own.forEach(FutureTask::run);
        Answers<T> answers = new Answers<>();
        try {
            for (FutureTask<T> task : tasks) {
                answers.add(task);
            }
            if (answers.wasInterrupted(own)) {
                // The calls that followed the interrupted one saw it as well.
                Thread.interrupted();
                throw new InterruptedException();
            }
        } catch (InterruptedException e) {
            tasks.forEach(task -> task.cancel(true));
            throw e;
        }
        return answers.whole();
    }

    /** Sends a request to all shards, as {@link #all} does. */
    void order(ShardPort[] shards, Order order) throws InterruptedException {
        all(shards, (index, shard) -> {
            order.to(index, shard);
            return index;
        });
    }

    /**
     * Calls the present shards and returns their results; none of other processes once this object is closed. An
     * interrupt does not end the wait, because the caller must not leave the operation half done.
     */
    <T> List<T> present(Call<T> call) {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = 0; i < slots.count(); i++) {
            Optional<ShardPort> shard = slots.at(i);
            if (shard.isPresent()) {
                begin(i, shard.get(), call, tasks);
            }
        }
        return uninterrupted(tasks).present();
    }

    /** Sends a request to the present shards, as {@link #present} does. */
    void orderPresent(Order order) {
        present((index, shard) -> {
            order.to(index, shard);
            return index;
        });
    }

    /** Calls one shard as {@link #present} does, and returns its result; empty if the shard is gone. */
    <T> Optional<T> one(int index, ShardPort shard, Call<T> call) {
        List<FutureTask<T>> tasks = new ArrayList<>();
        begin(index, shard, call, tasks);
        return uninterrupted(tasks).present().stream().findFirst();
    }

    /** Calls one shard without waiting for its response. */
    <T> Future<T> start(int index, ShardPort shard, Call<T> call) {
        FutureTask<T> task = task(index, shard, call);
        begin(task);
        return task;
    }

    private <T> FutureTask<T> task(int index, ShardPort shard, Call<T> call) {
        return new FutureTask<>(() -> {
            try {
                return call.on(index, shard);
            } catch (ShardGoneException gone) {
                slots.vacate(index, shard);
                throw gone;
            } catch (InterruptedException e) {
                // The caller's next call to a shard of this JVM must not wait either.
                Thread.currentThread().interrupt();
                throw e;
            }
        });
    }

    private void begin(FutureTask<?> task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            throw new ShardsClosedException();
        }
    }

    private <T> void begin(int index, ShardPort shard, Call<T> call, List<FutureTask<T>> tasks) {
        FutureTask<T> task = task(index, shard, call);
        if (shard.here()) {
            task.run();
            tasks.add(task);
            return;
        }
        try {
            begin(task);
            tasks.add(task);
        } catch (ShardsClosedException closed) {
            // Closed: no shard of another process can be reached, so none is present.
            LOG.log(System.Logger.Level.DEBUG, "the parameter shards are closed; skipping the request", closed);
        }
    }

    private static <T> Answers<T> uninterrupted(List<FutureTask<T>> tasks) {
        Answers<T> answers = new Answers<>();
        boolean interrupted = false;
        for (FutureTask<T> task : tasks) {
            boolean waiting = true;
            while (waiting) {
                try {
                    answers.add(task);
                    waiting = false;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return answers;
    }

    /** Results of the shards, or the reason why one is missing. */
    private static final class Answers<T> {
        private final List<T> given = new ArrayList<>();
        private @Nullable Future<T> interrupted;
        private @Nullable StaleTermException stale;
        private @Nullable RuntimeException failure;
        private @Nullable ShardGoneException gone;

        void add(Future<T> answer) throws InterruptedException {
            try {
                given.add(answer.get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof InterruptedException) {
                    interrupted = answer;
                }
                failed(e.getCause());
            }
        }

        /** Returns whether an interrupt of the calling thread ended a call that this thread made itself. */
        boolean wasInterrupted(List<FutureTask<T>> own) {
            return own.stream().anyMatch(task -> task == interrupted);
        }

        private void failed(@Nullable Throwable cause) {
            if (cause instanceof StaleTermException later) {
                stale = later;
            } else if (cause instanceof ShardGoneException away) {
                gone = away;
            } else if (cause instanceof InterruptedException) {
                // Only close() interrupts threads other than the caller's.
                failure = new ShardsClosedException();
            } else if (cause instanceof RuntimeException other) {
                failure = other;
            } else {
                throw new IllegalStateException("a call to a parameter shard has failed", cause);
            }
        }

        List<T> whole() {
            List<T> all = present();
            if (gone != null) {
                throw gone;
            }
            return all;
        }

        /**
         * Returns the results of the reachable shards. Throws any other failure, and first that a shard follows a later
         * master.
         */
        List<T> present() {
            if (stale != null) {
                throw stale;
            }
            if (failure != null) {
                throw failure;
            }
            return given;
        }
    }

    /** Ends the threads and the calls in progress. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Returns the text for people, for example {@code calls to slots of [ps-0, ps-1]}. */
    @Override
    public String toString() {
        return "calls to " + slots;
    }
}
