package dev.edl.runtime.engine;

import dev.edl.exec.Substrate;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.pass.PassResultCollector;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * State of one pass that outlives its master: the parameters, the task ledger, the results of accepted tasks, and the
 * final result. Replicas of one JVM share it; over processes, the master's process has it.
 *
 * @param <R> the result
 */
public final class SharedPassState<R> implements ReplicaRunner {
    private final Pass<R> pass;
    private final PassResultCollector<R> work;
    private final ModelSnapshot model;
    private final long version;
    private final EventHub events;
    private final RunClock clock;
    private final Instant began;
    private final ServiceSlot<PassMaster> master;
    private final DepartedWorkers departed;
    private final int tasks;
    /** Ledger of the last master; used by the master's thread alone. */
    private TaskLedger ledger;

    private volatile Progress lastProgress;
    private volatile @Nullable R result;
    private volatile @Nullable Duration took;

    /**
     * Creates the services of a new run.
     *
     * @throws IllegalArgumentException if the parameters do not match the pass' model
     * @throws IOException if the parameters cannot be read
     */
    public SharedPassState(
            String masterName,
            Pass<R> pass,
            PassResultCollector<R> work,
            TrainedModel trained,
            EventHub events,
            RunClock clock)
            throws IOException {
        PassSpec passSpec = pass.spec();
        this.pass = pass;
        this.work = work;
        this.model = ModelSnapshot.of(trained.fittedTo(passSpec.model()));
        this.version = trained.version();
        this.events = events;
        this.clock = clock;
        this.began = clock.wall().instant();
        this.master = new ServiceSlot<>(masterName, passSpec.absenceTimeout(), clock.nanos());
        this.departed = new DepartedWorkers(masterName, master::peek, worker -> {});
        LedgerSpec spec = ledgerSpec(pass);
        this.ledger = TaskLedger.start(spec, event -> {});
        TaskLedger all = TaskLedger.start(spec, event -> {});
        all.evaluate(version);
        this.tasks = all.progress().queued();
        this.lastProgress =
                new Progress(0, 0, 0, tasks, 0, spec.evaluationRecords(), version, Double.NaN, 0, Duration.ZERO);
    }

    /** Returns the ledger's spec: each record once, as tasks of an evaluation or a prediction. */
    static LedgerSpec ledgerSpec(Pass<?> whole) {
        PassSpec pass = whole.spec();
        LedgerSpec.Builder spec = LedgerSpec.builder()
                .minibatchSize(pass.minibatch())
                .minibatchesPerTask(pass.minibatchesPerTask())
                .leaseTimeout(pass.taskTimeout())
                .maxTaskFailures(pass.maxTaskFailures());
        return (whole.type() == TaskType.PREDICTION
                        ? spec.prediction(pass.data().shards())
                        : spec.evaluation(pass.data().shards()))
                .build();
    }

    PassResultCollector<R> work() {
        return work;
    }

    ModelSnapshot model() {
        return model;
    }

    long version() {
        return version;
    }

    int tasks() {
        return tasks;
    }

    public EventHub events() {
        return events;
    }

    /** Returns the monotonic time, in nanoseconds, for leases and bounds. */
    long nanos() {
        return clock.nanos().getAsLong();
    }

    Duration elapsed() {
        Duration ended = took;
        return ended == null ? Duration.between(began, clock.wall().instant()) : ended;
    }

    /** Returns the master once it is present; empty if there is a result, so that no master will come. */
    Optional<PassMaster> master(ReplicaContext caller) {
        return master.await(caller, () -> result != null);
    }

    public Optional<R> result() {
        return Optional.ofNullable(result);
    }

    @Override
    public void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException {
        switch (replica.role()) {
            case MASTER -> lead(context, masters -> {});
            // A server has no state here: the parameters do not change, and the workers have them.
            case PS -> context.awaitStop();
            case WORKER -> worker(context).run();
            default -> throw new IllegalStateException(replica.role() + " is not a role of the in-process runtime");
        }
    }

    private WorkerRunner worker(ReplicaContext context) {
        return WorkerRunner.ofPass(
                context, pass, () -> master(context).map(present -> new LocalPassMasterPort(present, context.name())));
    }

    /**
     * Leads the pass to its result. Workers get no further task afterwards, but no notice that the pass has finished:
     * the executor stops them, and they still work if the result is lost with this process.
     *
     * @param serves receives the function from a worker's name to its client of the master, once there is a master
     */
    public void lead(ReplicaContext context, Consumer<Function<String, MasterPort>> serves)
            throws IOException, InterruptedException {
        if (result != null) {
            // The previous master was killed after it had finished.
            return;
        }
        List<LedgerEvent> seen = new ArrayList<>();
        ledger = ledger.handedTo(seen::add);
        PassMaster leader = new PassMaster(this, ledger, seen);
        departed.tellAll(leader);
        leader.begin(version);
        master.publish(leader);
        serves.accept(worker -> new LocalPassMasterPort(leader, worker));
        try {
            // Covers workers that left after the first check and before the master receives such notices.
            departed.tellAll(leader);
            while (!leader.finished()) {
                context.check();
                Optional<String> failure = leader.failure();
                if (failure.isPresent()) {
                    throw new TrainingFailedException(failure.get());
                }
                leader.watch();
            }
            finish(leader);
        } finally {
            try {
                lastProgress = leader.progress();
            } finally {
                master.retire(leader);
                leader.retire();
            }
        }
    }

    private void finish(PassMaster leader) {
        Duration whole = elapsed();
        R finished;
        try {
            finished = work.finish(version, leader.proof(), whole);
        } catch (IOException | RuntimeException unwritable) {
            throw new TrainingFailedException(
                    "the result cannot be written: " + ExceptionText.of(unwritable), unwritable);
        }
        took = whole;
        events.emit(work.event(finished));
        result = finished;
    }

    @Override
    public void gone(ReplicaPlan replica) {
        departed.gone(replica);
    }

    /** Gives the tasks of a cut off or ended worker of another process to other workers. Returns at once. */
    public void gone(String worker) {
        departed.gone(worker);
    }

    /** Returns the progress of the pass; without a master, the last known progress. */
    public Progress progress() {
        PassMaster present = master.peek();
        return present == null ? lastProgress : present.progress();
    }

    /** Stops the replicas of the run, then closes its files, so that no replica writes to a closed file. */
    public void close(Substrate substrate) {
        substrate.close();
        departed.close();
        events.close();
        try {
            work.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the run: " + ExceptionText.of(e), e);
        }
    }
}
