package dev.edl.runtime;

import dev.edl.RoleType;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Durability;
import dev.edl.runtime.task.FileJournal;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What the replicas of one pass share in one JVM, and what outlives them: the parameters, the journal of tasks, what the
 * accepted tasks came to, the result.
 *
 * @param <P> what a task comes to
 * @param <R> the result
 */
final class PassServices<P, R> implements RunServices {
    private static final Duration MASTER_BOUND = Duration.ofSeconds(30);

    private final Pass pass;
    private final PassWork<P, R> work;
    private final ModelSnapshot model;
    private final long version;
    private final EventHub events;
    private final InstantSource clock;
    private final Instant began;
    private final Slot<PassMaster<P>> master;
    private final ExecutorService departures;
    private final Set<String> gone = new LinkedHashSet<>();
    private final LedgerSpec spec;
    private final int tasks;
    private final Path journal;
    private volatile Progress lastProgress;
    private volatile @Nullable R result;
    private volatile @Nullable Duration took;

    /**
     * The services of a run that begins now.
     *
     * @throws IllegalArgumentException when what was trained is not of the pass' model
     * @throws IOException when what was trained cannot be read, or the journal's folder cannot be made
     */
    PassServices(
            String masterName,
            Pass pass,
            PassWork<P, R> work,
            TrainedModel trained,
            EventHub events,
            InstantSource clock)
            throws IOException {
        this.pass = pass;
        this.work = work;
        this.model = trained.fittedTo(pass.model());
        this.version = trained.version();
        this.events = events;
        this.clock = clock;
        this.began = clock.instant();
        this.master = new Slot<>(masterName, MASTER_BOUND);
        this.departures = Idle.singleThread(masterName + "-departures");
        this.spec = pass.ledgerSpec(work.predicts());
        TaskLedger all = TaskLedger.start(spec, event -> {});
        all.evaluate(version);
        this.tasks = all.progress().queued();
        this.lastProgress =
                new Progress(0, 0, 0, tasks, 0, spec.evaluationRecords(), version, Double.NaN, 0, Duration.ZERO);
        this.journal = Files.createTempDirectory("edl-journal-").resolve("tasks.journal");
    }

    Pass pass() {
        return pass;
    }

    PassWork<P, R> work() {
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

    EventHub events() {
        return events;
    }

    InstantSource clock() {
        return clock;
    }

    Duration elapsed() {
        Duration ended = took;
        return ended == null ? Duration.between(began, clock.instant()) : ended;
    }

    /** The master, as soon as it is there; none when there is a result, so that none will come. */
    Optional<PassMaster<P>> master(ReplicaContext caller) {
        return master.await(caller, () -> result != null);
    }

    Optional<R> result() {
        return Optional.ofNullable(result);
    }

    @Override
    public void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException {
        switch (replica.role()) {
            case MASTER -> lead(context);
            // It has nothing to keep: the parameters do not change, and the workers have them.
            case PS -> context.awaitStop();
            case WORKER -> new PassWorker<>(context, this).run();
            default -> throw new IllegalStateException(replica.role() + " is no role of the in-process runtime");
        }
    }

    private void lead(ReplicaContext context) throws IOException, InterruptedException {
        if (result != null) {
            // The master before this one was killed after its last deed.
            return;
        }
        try (FileJournal file = FileJournal.open(journal, spec, Durability.CLOSE)) {
            List<LedgerEvent> seen = new ArrayList<>();
            TaskLedger ledger = TaskLedger.replay(spec, file.events(), event -> {
                file.accept(event);
                seen.add(event);
            });
            PassMaster<P> leader = new PassMaster<>(this, ledger, seen);
            goneWorkers().forEach(leader::workerGone);
            leader.begin(version);
            master.publish(leader);
            try {
                // Who left between the first look and the moment from which the master is told.
                goneWorkers().forEach(leader::workerGone);
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
                lastProgress = leader.progress();
                master.retire(leader);
                leader.retire();
            }
        }
    }

    private void finish(PassMaster<P> leader) {
        Duration whole = elapsed();
        R finished;
        try {
            finished = work.finish(version, leader.proof(), whole);
        } catch (IOException | RuntimeException unwritable) {
            throw new TrainingFailedException("the result cannot be written: " + Reason.of(unwritable), unwritable);
        }
        took = whole;
        events.emit(work.event(finished));
        result = finished;
        leader.done();
    }

    @Override
    public void gone(ReplicaPlan replica) {
        if (replica.role() != RoleType.WORKER) {
            return;
        }
        try {
            departures.execute(() -> departed(replica.name()));
        } catch (RejectedExecutionException closed) {
            // The run is closed: there is nobody left to tell.
            return;
        }
    }

    private void departed(String worker) {
        synchronized (gone) {
            gone.add(worker);
        }
        PassMaster<P> present = master.peek();
        if (present != null) {
            try {
                present.workerGone(worker);
            } catch (MasterGone next) {
                // The next master reads the list.
                return;
            } catch (UncheckedIOException unwritable) {
                present.broken("the task journal cannot be written: " + Reason.of(unwritable));
            }
        }
    }

    private List<String> goneWorkers() {
        synchronized (gone) {
            return List.copyOf(gone);
        }
    }

    /** Where the pass stands; while no master is there, where it stood when the last one left. */
    Progress progress() {
        PassMaster<P> present = master.peek();
        return present == null ? lastProgress : present.progress();
    }

    /** Stops everything of the run, in an order in which nothing is written to what is closed. */
    void close(InProcessSubstrate substrate) {
        substrate.close();
        departures.shutdownNow();
        events.close();
        try {
            work.close();
            Files.deleteIfExists(journal);
            Path folder = journal.getParent();
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("closing the run: " + Reason.of(e), e);
        }
    }
}
