package dev.edl.runtime.engine;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.internal.ReadAhead;
import dev.edl.runtime.engine.internal.WaitCounters;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Worker of a training or a pass: requests tasks, does them and reports them until there is no more work. The job does
 * not depend on a worker's state, so a worker may stop between any two calls.
 *
 * <p>The worker's thread computes. The reader's thread meanwhile reports the last task, requests the next one and reads
 * its records.
 */
public final class WorkerRunner {
    private static final System.Logger LOG = System.getLogger(WorkerRunner.class.getName());

    /** Maximum time that an ending worker waits for a read in progress. */
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final ReplicaContext context;
    private final Supplier<Optional<MasterPort>> masters;
    private final TaskProcessor tasks;
    private final ReadAhead reader;
    private final WaitCounters counters;
    private @Nullable MasterPort master;

    /**
     * Creates a worker that is not started.
     *
     * @param tasks work that the worker does on each task
     * @param masters waits for a master; empty if none will come, because the run is complete
     */
    WorkerRunner(
            ReplicaContext context,
            TaskProcessor tasks,
            Supplier<Optional<MasterPort>> masters,
            WaitCounters counters) {
        this.context = context;
        this.tasks = tasks;
        this.masters = masters;
        this.counters = counters;
        this.reader = new ReadAhead(context.name() + "-reader", tasks::allocateBuffer, tasks::read, CLOSE);
    }

    /**
     * Returns a worker of a training that is not started.
     *
     * @param shards its client of the parameter shards
     * @param masters waits for a master; empty if none will come, because the run is complete
     * @param nanos monotonic time
     */
    public static WorkerRunner ofTraining(
            ReplicaContext context,
            Training training,
            ShardsPort shards,
            Supplier<Optional<MasterPort>> masters,
            LongSupplier nanos) {
        return ofTraining(context, training, shards, masters, nanos, loss -> {});
    }

    /**
     * Returns a worker of a training that is not started and logs its losses itself.
     *
     * @param losses receives each loss that is emitted as an event, on the worker's thread
     */
    public static WorkerRunner ofTraining(
            ReplicaContext context,
            Training training,
            ShardsPort shards,
            Supplier<Optional<MasterPort>> masters,
            LongSupplier nanos,
            Consumer<TrainingEvent.Loss> losses) {
        WaitCounters counters = new WaitCounters();
        return new WorkerRunner(
                context,
                new TrainingTaskProcessor(context, training, shards, nanos, counters, losses),
                masters,
                counters);
    }

    /**
     * Returns a worker of a pass that is not started.
     *
     * @param masters waits for a master; empty if none will come, because the run is complete
     */
    public static WorkerRunner ofPass(ReplicaContext context, Pass<?> pass, Supplier<Optional<MasterPort>> masters) {
        WaitCounters counters = new WaitCounters();
        return new WorkerRunner(context, new PassTaskProcessor(context, pass, counters), masters, counters);
    }

    /**
     * Works until all is done or the replica is stopped.
     *
     * @throws TryAgainException if the master or a server is absent for too long
     */
    public void run() throws InterruptedException {
        try {
            work();
        } finally {
            leave();
            reader.close();
            LOG.log(System.Logger.Level.DEBUG, () -> context.name() + ": " + counters);
        }
    }

    private void work() throws InterruptedException {
        try (Model.Session session = tasks.open()) {
            work(session);
        }
    }

    private void work(Model.Session session) throws InterruptedException {
        boolean more = true;
        while (more) {
            context.check();
            // Tasks prefetched from an earlier master are handed out again.
            reader.drop(context::check);
            try {
                master = masters.get().orElse(null);
                more = master != null && runTasks(master, session);
            } catch (MasterGoneException gone) {
                leave();
                // Applied pushes stay; the next master hands the task out again, and it resumes after them.
                more = true;
            }
        }
    }

    /** Removes the worker from the rounds, through the last master that it knew; that master may have been replaced. */
    private void leave() {
        MasterPort last = master;
        if (last != null) {
            last.leave();
        }
    }

    /** Requests a task, and does it and the tasks prefetched after it. Returns false once all work is complete. */
    private boolean runTasks(MasterPort master, Model.Session session) throws InterruptedException {
        counters.master();
        Assignment assignment = master.next();
        if (assignment instanceof Assignment.Lease lease) {
            reader.begin(() -> Optional.of(lease.task()));
            Due due = new Due(lease.task(), null);
            while (due != null) {
                due = perform(master, due, session);
            }
            return true;
        }
        master.leave();
        if (assignment instanceof Assignment.Finished) {
            return false;
        }
        master.awaitChange();
        return true;
    }

    /** Step of the work on a task. It may fail because of the task's records, the model or an absent server. */
    @FunctionalInterface
    private interface Part<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * Task that the worker does next; the reader has read its records or reads them.
     *
     * @param before report of the previous task, which is still to be sent; null if it is sent
     */
    private record Due(Task task, TaskProcessor.@Nullable Report before) {}

    /** Does a task. Returns the prefetched next task, or null if the worker must request one from the master. */
    private @Nullable Due perform(MasterPort master, Due due, Model.Session session) throws InterruptedException {
        Task task = due.task;
        if (task.type() != TaskType.TRAINING) {
            // The worker stays in the rounds between two training tasks; any other work must not delay them.
            master.leave();
        }
        TaskProcessor.Report done = attempt(master, task, () -> compute(master, due, session));
        if (done == null) {
            return null;
        }
        counters.task();
        TaskProcessor.Report report = () -> attempt(master, task, () -> {
            done.make();
            return true;
        });
        boolean read = reader.ready();
        if (!reader.asked()) {
            counters.master();
        }
        // Before the report, because a worker that holds no task cannot prefetch.
        Optional<Task> next = reader.task(context::check);
        if (read && next.filter(master::startPrefetched).isPresent()) {
            return new Due(next.orElseThrow(), report);
        }
        // There is nothing to compute meanwhile.
        counters.master();
        report.make();
        // Begin a task that the worker waits for; another worker would only read its records again.
        return !read && next.filter(master::startPrefetched).isPresent() ? new Due(next.orElseThrow(), null) : null;
    }

    /**
     * Runs a step of the work on a task. If it fails and another worker may succeed, reports the failure and returns
     * null.
     */
    private <T> @Nullable T attempt(MasterPort master, Task task, Part<T> part) throws InterruptedException {
        try {
            return part.run();
        } catch (ReplicaStoppedException | MasterGoneException stop) {
            throw stop;
        } catch (IOException unreadable) {
            // Another worker may succeed; too many attempts fail the job with this message.
            context.check();
            master.failed(task, TaskFailure.of(unreadable));
            return null;
        } catch (RuntimeException failure) {
            if (!context.stopped()) {
                master.failed(task, TaskFailure.of(failure));
            }
            throw FailureKind.of(failure) == FailureKind.ENVIRONMENT
                    ? new TryAgainException(ExceptionText.of(failure), failure)
                    : failure;
        }
    }

    /** Computes a task while the reader reports the previous one and reads the next one; returns the report. */
    private TaskProcessor.Report compute(MasterPort master, Due due, Model.Session session)
            throws IOException, InterruptedException {
        Task task = due.task;
        if (!reader.ready()) {
            counters.reader();
        }
        reader.take(context::check);
        reader.begin(() -> {
            TaskProcessor.Report before = due.before;
            if (before != null) {
                before.make();
            }
            context.check();
            return master.prefetch(task) instanceof Assignment.Lease lease
                    ? Optional.of(lease.task())
                    : Optional.empty();
        });
        return tasks.compute(master, task, reader.records(), session);
    }
}
