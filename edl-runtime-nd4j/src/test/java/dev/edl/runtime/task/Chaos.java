package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulation of a training from a seed: workers push minibatches to one parameter shard under all kinds of faults,
 * including the loss of the journal and of evaluated versions. At every step it checks the ledger's guarantees from
 * the outside.
 *
 * <p>Limits: the parameter shard is a set of push ids, a push is applied at once, and there is no staleness.
 */
public final class Chaos {
    public final LedgerSpec spec;
    public final List<LedgerEvent> journal = new ArrayList<>();
    final List<String> images = new ArrayList<>();
    public TaskLedger ledger;
    private final Random random;
    private final Function<LedgerSpec, TaskLedger> restart;
    private final boolean keepImages;
    private final boolean keepsJournal;
    private final List<Worker> workers = new ArrayList<>();
    /** Evaluated records of each version that was requested and is not lost. */
    private final TreeMap<Long, Long> measured = new TreeMap<>();
    /** Pushes of workers whose master lost its journal; they may arrive at any later time. */
    private final List<Long> late = new ArrayList<>();
    /** All such pushes: a range may hold one before it is handed out. */
    private final BitSet strays = new BitSet();

    private BitSet applied = new BitSet();
    private BitSet checkpoint = new BitSet();
    private Duration now = Ledgers.T0;
    private int names;
    private long version;

    /** A worker's own view; the ledger may have reassigned its task. */
    private static final class Worker {
        final String name;
        final Task task;

        @Nullable
        Task ahead;

        int done;

        Worker(String name, Task task) {
            this.name = name;
            this.task = task;
        }
    }

    public Chaos(long seed, boolean keepImages) {
        this(seed, keepImages, true);
    }

    /** Creates a simulation; without a journal, each new master begins with the state of the shard and of the record. */
    Chaos(long seed, boolean keepImages, boolean keepsJournal) {
        this.random = new Random(seed);
        this.keepImages = keepImages;
        this.keepsJournal = keepsJournal;
        this.spec = spec(random);
        this.ledger = TaskLedger.start(spec, this::journal);
        this.restart = s -> ledger.handedTo(this::journal);
    }

    private void journal(LedgerEvent event) {
        // The image before an event is that of the history so far, so every prefix has one.
        if (keepImages) {
            images.add(StateImage.of(ledger));
        }
        journal.add(event);
    }

    private static LedgerSpec spec(Random random) {
        List<DataShard> training = new ArrayList<>(List.of(new DataShard("t", 1 + random.nextInt(20))));
        List<DataShard> evaluation = new ArrayList<>();
        for (int s = random.nextInt(3); s > 0; s--) {
            training.add(new DataShard("t" + s, random.nextInt(20)));
            evaluation.add(new DataShard("e" + s, random.nextInt(10)));
        }
        return LedgerSpec.builder()
                .training(training)
                .evaluation(evaluation)
                .minibatchSize(1 + random.nextInt(3))
                .minibatchesPerTask(1 + random.nextInt(4))
                .epochs(1 + random.nextInt(3))
                .seed(random.nextLong())
                .shuffle(random.nextBoolean())
                .leaseTimeout(Duration.ofSeconds(20))
                .maxTaskFailures(1_000_000)
                .maxMinibatches(random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0)
                .build();
    }

    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            check();
        }
    }

    private void step() {
        now = now.plusSeconds(random.nextInt(3));
        Worker worker = workers.isEmpty() ? null : workers.get(random.nextInt(workers.size()));
        int dice = random.nextInt(100);
        if (worker == null || dice < 10) {
            ask("w" + names++);
        } else if (dice < 50) {
            work(worker);
        } else if (dice < 58) {
            ahead(worker);
        } else if (dice < 60) {
            recall(worker);
        } else if (dice < 65) {
            workers.remove(worker);
            ledger.workerGone(worker.name);
        } else if (dice < 68) {
            // The master considers the worker gone, but it continues: a late report will come.
            ledger.workerGone(worker.name);
        } else if (dice < 72) {
            failOrGiveBack(worker);
        } else if (dice < 75) {
            now = now.plusSeconds(random.nextInt(25));
            ledger.expire(now);
        } else if (dice < 79) {
            ledger.touch(worker.task, now);
        } else if (dice < 82) {
            ask(worker.name);
        } else if (dice < 85) {
            if (ledger.evaluate(version += random.nextInt(2))) {
                measured.put(version, 0L);
            }
        } else if (dice < 88) {
            checkpoint = (BitSet) applied.clone();
        } else if (dice < 90) {
            applied = (BitSet) checkpoint.clone();
            Ledgers.reopen(ledger, id -> applied.get((int) id));
        } else if (dice < 93) {
            restart();
        } else if (dice < 95) {
            lateReport(1 + random.nextInt(50));
        } else if (dice < 96) {
            wholeJobKilled();
        } else if (dice < 97) {
            if (random.nextInt(4) == 0) {
                stop();
            }
        } else if (dice < 99) {
            recover();
        } else {
            journalLost();
        }
    }

    /** Corrects the ledger after a takeover or the return of a server. */
    private void recover() {
        if (random.nextBoolean()) {
            workers.forEach(this::recall);
        }
        long known = measured.isEmpty() ? version : random.nextLong(measured.firstKey(), version + 1);
        switch (random.nextInt(5)) {
            case 0 -> {
                ledger.recovery().loseEvaluation(known);
                measured.remove(known);
            }
            case 1 -> resumeEvaluation(known);
            case 2 -> {
                if (ledger.evaluateAgain(known)) {
                    measured.put(known, 0L);
                }
            }
            case 3 -> pushLate();
            default -> {
                if (ledger.trainingComplete()) {
                    reinstate();
                }
            }
        }
    }

    /** The record of decisions may have less of a version than the journal, or more. */
    private void resumeEvaluation(long modelVersion) {
        if (spec.evaluationRecords() == 0) {
            return;
        }
        List<RecordRange> known = new ArrayList<>();
        long records = 0;
        int chance = 1 + random.nextInt(3);
        long task = (long) spec.minibatchSize() * spec.minibatchesPerTask();
        for (DataShard shard : spec.evaluationShards()) {
            for (long start = 0; start < shard.records(); start += task) {
                RecordRange range = new RecordRange(shard.name(), start, Math.min(shard.records(), start + task));
                if (random.nextInt(4) < chance) {
                    RecordRange.addJoined(known, range);
                    records += range.records();
                }
            }
        }
        ledger.recovery().resumeEvaluation(modelVersion, known);
        measured.put(modelVersion, records);
    }

    /** Delivers a late push of an earlier worker. */
    private void pushLate() {
        if (!late.isEmpty()) {
            applied.set((int) (long) late.remove(random.nextInt(late.size())));
        }
    }

    private int reinstate() {
        int perEpoch = spec.pushIds().minibatchesPerEpoch();
        return ledger.recovery().reinstate(e -> applied.get(e * perEpoch, (e + 1) * perEpoch));
    }

    /**
     * Starts a master without the journal: it derives the completed work from the shard, and decisions and evaluations
     * from the record.
     */
    private void journalLost() {
        if (keepImages) {
            return;
        }
        for (Worker worker : workers) {
            if (worker.task.type() == TaskType.TRAINING
                    && worker.done < worker.task.minibatches()
                    && random.nextBoolean()) {
                late.add(worker.task.pushId(worker.done));
                strays.set((int) worker.task.pushId(worker.done));
            }
        }
        workers.clear();
        journal.clear();
        TaskLedger before = ledger;
        ledger = TaskLedger.start(spec, this::journal);
        if (applied.isEmpty() && random.nextBoolean()) {
            ledger.recovery().beginAnew();
        } else {
            int perEpoch = spec.pushIds().minibatchesPerEpoch();
            IntFunction<BitSet> held = e -> applied.get(e * perEpoch, (e + 1) * perEpoch);
            ledger.resume(held, held);
            ledger.recovery().rebuild(before.failures(), LongStream.empty());
            requireFailures(before.failures());
        }
        before.stopped().ifPresent(ledger::stop);
        List<Long> open = before.openEvaluations();
        measured.keySet().retainAll(open);
        open.forEach(this::resumeEvaluation);
    }

    /** A range that the shard has applied is complete by now, which resets its count. */
    private void requireFailures(List<RangeFailureCount> before) {
        List<RangeFailureCount> open = before.stream()
                .filter(failed ->
                        failed.type() == TaskType.EVALUATION || !isApplied((int) failed.pass(), failed.range()))
                .toList();
        require(ledger.failures().equals(open), ledger.failures() + ", not " + open);
    }

    private boolean isApplied(int epoch, RecordRange records) {
        TaskRanges ranges = TaskRanges.training(spec);
        int first = epoch * spec.pushIds().minibatchesPerEpoch()
                + ranges.firstMinibatch(ranges.indexOf(records.shard(), records.start()));
        return applied.nextClearBit(first) - first >= (double) records.records() / spec.minibatchSize();
    }

    private void lateReport(int taskId) {
        if (workers.isEmpty()
                || ledger.leases().values().stream().flatMap(List::stream).anyMatch(task -> task.id() == taskId)) {
            return;
        }
        Task gone = Ledgers.numbered(taskId, workers.get(0).task);
        require(!ledger.complete(gone, now).accepted(), "a report for " + gone + " was accepted");
    }

    private void restart() {
        if (!keepsJournal) {
            journalLost();
            return;
        }
        String before = StateImage.of(ledger);
        ledger = restart.apply(spec);
        require(StateImage.of(ledger).equals(before), "a replayed ledger differs");
    }

    /** Kills everything except the checkpoint: workers and journal are lost. */
    private void wholeJobKilled() {
        if (keepImages || checkpoint.isEmpty()) {
            return;
        }
        workers.clear();
        measured.clear();
        journal.clear();
        applied = (BitSet) checkpoint.clone();
        // A push that reached only one shard is held, but not applied everywhere.
        BitSet held = (BitSet) applied.clone();
        if (random.nextBoolean()) {
            applied.clear(held.previousSetBit(held.length() - 1));
        }
        ledger = TaskLedger.start(spec, this::journal);
        int perEpoch = spec.pushIds().minibatchesPerEpoch();
        int complete = ledger.resume(
                e -> applied.get(e * perEpoch, (e + 1) * perEpoch), e -> held.get(e * perEpoch, (e + 1) * perEpoch));
        require(ledger.progress().tasksDone() == complete, "it counts " + ledger.progress() + ", not " + complete);
        checkpoint = (BitSet) applied.clone();
    }

    private void stop() {
        if (random.nextBoolean()) {
            workers.forEach(this::recall);
        }
        boolean complete = ledger.trainingComplete();
        boolean before = ledger.stopped().isPresent();
        require(ledger.stop("chance") == (!complete && !before), "a stop was not taken as it should be");
    }

    /** Prefetches the task after the present one. */
    private void ahead(Worker worker) {
        if (worker.ahead == null && ledger.prefetch(worker.name, worker.task, now) instanceof Assignment.Lease lease) {
            worker.ahead = lease.task();
        }
    }

    /** Recalls a task that the worker has not begun, for another worker or for the end of the training. */
    private void recall(Worker worker) {
        if (worker.ahead != null) {
            ledger.recall(worker.ahead);
            worker.ahead = null;
        }
    }

    /** Starts the prefetched task, or requests one. */
    private void next(Worker worker) {
        Task ahead = worker.ahead;
        if (ahead == null
                || !ledger.leases().getOrDefault(worker.name, List.of()).contains(ahead)) {
            ask(worker.name);
            return;
        }
        workers.remove(worker);
        begin(new Worker(worker.name, ahead));
    }

    private void begin(Worker worker) {
        workers.add(worker);
        if (worker.task.type() == TaskType.TRAINING) {
            resume(worker);
        }
    }

    private void ask(String name) {
        workers.removeIf(w -> w.name.equals(name));
        if (ledger.next(name, now) instanceof Assignment.Lease lease) {
            begin(new Worker(name, lease.task()));
        }
    }

    private void resume(Worker worker) {
        Task task = worker.task;
        for (int k = 0; k < task.minibatches() && task.attempt() == 0; k++) {
            int push = (int) task.pushId(k);
            require(!applied.get(push) || strays.get(push), "attempt 0 of " + task + " is not untouched");
        }
        while (worker.done < task.minibatches() && applied.get((int) task.pushId(worker.done))) {
            worker.done++;
        }
    }

    /** Pushes one minibatch; if all are pushed, reports the task and requests another. */
    private void work(Worker worker) {
        Task task = worker.task;
        if (worker.done < task.minibatches()) {
            if (task.type() == TaskType.TRAINING) {
                applied.set((int) task.pushId(worker.done));
            }
            worker.done++;
            return;
        }
        CompletionOutcome completion = ledger.complete(task, now);
        if (completion.accepted() && task.type() == TaskType.EVALUATION) {
            measured.merge(task.modelVersion(), task.records(), Long::sum);
        }
        completion
                .evaluatedVersion()
                .ifPresent(v -> require(
                        measured.getOrDefault(v, 0L) == spec.evaluationRecords(),
                        "version " + v + " was measured on " + measured.get(v) + " records"));
        next(worker);
    }

    private void failOrGiveBack(Worker worker) {
        if (random.nextBoolean()) {
            ledger.fail(worker.task, "chance");
        } else {
            ledger.giveBack(worker.task);
        }
        ask(worker.name);
    }

    private void check() {
        Set<String> held = new HashSet<>();
        ledger.leases()
                .values()
                .forEach(tasks -> tasks.forEach(task -> require(
                        held.add(task.range() + "/" + task.epoch() + "/" + task.modelVersion()),
                        task + " is out twice")));
        List<Long> open = measured.entrySet().stream()
                .filter(each -> each.getValue() < spec.evaluationRecords())
                .map(Map.Entry::getKey)
                .toList();
        require(ledger.openEvaluations().equals(open), ledger.openEvaluations() + " are open, not " + open);
    }

    private void finish() {
        ask("last");
        for (int i = 0; !ledger.finished(); i++) {
            require(i < 100_000, "it does not end: " + ledger);
            now = now.plusSeconds(1);
            ledger.expire(now);
            if (workers.isEmpty()) {
                ask("w" + names++);
            } else {
                work(workers.get(random.nextInt(workers.size())));
            }
            check();
        }
    }

    /** Stops all faults: the present workers, and one more, finish the training. */
    void settle() {
        finish();
        while (!late.isEmpty()) {
            pushLate();
        }
        while (reinstate() > 0) {
            finish();
        }
        int all = spec.epochs() * spec.pushIds().minibatchesPerEpoch();
        int due = spec.maxMinibatches() == 0 ? all : (int) Math.min(all, spec.maxMinibatches());
        if (ledger.stopped().isEmpty()) {
            require(applied.cardinality() == due, applied.cardinality() + " of " + due + " pushes are applied");
        } else {
            require(applied.cardinality() <= due, applied.cardinality() + " pushes are applied, at most " + due);
        }
        int whole = due / spec.pushIds().minibatchesPerEpoch() * spec.pushIds().minibatchesPerEpoch();
        require(
                ledger.stopped().isPresent() || applied.nextClearBit(0) >= whole,
                "push " + applied.nextClearBit(0) + " is not applied");
        require(ledger.proof().minibatches() == applied.cardinality(), ledger.proof() + ", but " + applied);
        require(ledger.progress().minibatchesTotal() == applied.cardinality(), ledger.progress() + ", but " + applied);
        measured.forEach(
                (v, counted) -> require(counted == spec.evaluationRecords(), "version " + v + " counts " + counted));
        require(ledger.proof().holds(), ledger.proof().toString());
        require(ledger.proof().equals(ProofCalculator.of(spec, journal)), "the journal proves something else");
        LedgerProgress progress = ledger.progress();
        require(progress.recordsDone() == progress.recordsTotal(), progress.toString());
        require(progress.leased() == 0 && progress.queued() == 0, progress.toString());
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
