package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/**
 * A whole training in miniature, driven by a seed: workers that push minibatches to one parameter shard, and faults of
 * all kinds. It checks the ledger's promises at every step, from the outside.
 *
 * <p>Its limits: the parameter shard is a set of push ids, a push is applied at once, there is no staleness.
 */
final class Chaos {
    final LedgerSpec spec;
    final List<LedgerEvent> journal = new ArrayList<>();
    final List<String> images = new ArrayList<>();
    TaskLedger ledger;
    private final Random random;
    private final Function<LedgerSpec, TaskLedger> restart;
    private final boolean keepImages;
    private final List<Worker> workers = new ArrayList<>();
    private final Map<Long, long[]> metrics = new HashMap<>();
    private BitSet applied = new BitSet();
    private BitSet checkpoint = new BitSet();
    private Instant now = Ledgers.T0;
    private int names;
    private long version;

    /** A worker as it sees itself; the ledger may have given its task to another. */
    private static final class Worker {
        final String name;
        final Task task;
        int done;

        Worker(String name, Task task) {
            this.name = name;
            this.task = task;
        }
    }

    Chaos(long seed, boolean keepImages) {
        this.random = new Random(seed);
        this.keepImages = keepImages;
        this.spec = spec(random);
        this.ledger = TaskLedger.start(spec, this::journal);
        this.restart = s -> TaskLedger.replay(s, List.copyOf(journal), this::journal);
    }

    private void journal(LedgerEvent event) {
        // The image before an event is that of the history so far: every prefix gets one.
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

    void run(int steps) {
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
        } else if (dice < 60) {
            work(worker);
        } else if (dice < 65) {
            workers.remove(worker);
            ledger.workerGone(worker.name);
        } else if (dice < 68) {
            // The master believes it gone, and it goes on: a late report will come.
            ledger.workerGone(worker.name);
        } else if (dice < 72) {
            failOrGiveBack(worker);
        } else if (dice < 75) {
            now = now.plusSeconds(random.nextInt(25));
            ledger.expire(now);
        } else if (dice < 79) {
            ledger.touch(worker.task.id(), now);
        } else if (dice < 82) {
            ask(worker.name);
        } else if (dice < 85) {
            ledger.evaluate(version += random.nextInt(2));
        } else if (dice < 88) {
            checkpoint = (BitSet) applied.clone();
        } else if (dice < 90) {
            applied = (BitSet) checkpoint.clone();
            ledger.reopen(id -> applied.get((int) id));
        } else if (dice < 93) {
            restart();
        } else if (dice < 95) {
            lateReport(random.nextInt(50));
        } else if (dice < 96) {
            wholeJobKilled();
        } else if (dice < 97 && random.nextInt(4) == 0) {
            stop();
        }
    }

    private void lateReport(int taskId) {
        if (ledger.leases().values().stream().noneMatch(task -> task.id() == taskId)) {
            require(!ledger.complete(taskId, now).accepted(), "a report for task " + taskId + " was accepted");
        }
    }

    private void restart() {
        String before = StateImage.of(ledger);
        ledger = restart.apply(spec);
        require(StateImage.of(ledger).equals(before), "a replayed ledger differs");
    }

    /** Nothing is left but the checkpoint: no worker, no journal. */
    private void wholeJobKilled() {
        if (keepImages || checkpoint.isEmpty()) {
            return;
        }
        workers.clear();
        metrics.clear();
        journal.clear();
        applied = (BitSet) checkpoint.clone();
        // A push that had reached one shard only is held, but not applied everywhere.
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
        boolean complete = ledger.trainingComplete();
        boolean before = ledger.stopped().isPresent();
        require(ledger.stop("chance") == (!complete && !before), "a stop was not taken as it should be");
    }

    private void ask(String name) {
        workers.removeIf(w -> w.name.equals(name));
        if (ledger.next(name, now) instanceof Assignment.Lease lease) {
            Worker worker = new Worker(name, lease.task());
            workers.add(worker);
            if (worker.task.type() == TaskType.TRAINING) {
                resume(worker);
            }
        }
    }

    private void resume(Worker worker) {
        Task task = worker.task;
        for (int k = 0; k < task.minibatches() && task.attempt() == 0; k++) {
            require(!applied.get((int) task.pushId(k)), "attempt 0 of " + task + " is not untouched");
        }
        while (worker.done < task.minibatches() && applied.get((int) task.pushId(worker.done))) {
            worker.done++;
        }
    }

    /** Pushes one minibatch, or reports when all are pushed and asks for more. */
    private void work(Worker worker) {
        Task task = worker.task;
        if (worker.done < task.minibatches()) {
            if (task.type() == TaskType.TRAINING) {
                applied.set((int) task.pushId(worker.done));
            }
            worker.done++;
            return;
        }
        Completion completion = ledger.complete(task.id(), now);
        if (completion.accepted() && task.type() == TaskType.EVALUATION) {
            metrics.computeIfAbsent(task.modelVersion(), v -> new long[1])[0] += task.records();
        }
        completion.evaluatedVersion().ifPresent(v -> {
            long counted = metrics.getOrDefault(v, new long[1])[0];
            require(counted == spec.evaluationRecords(), "version " + v + " was measured on " + counted + " records");
        });
        ask(worker.name);
    }

    private void failOrGiveBack(Worker worker) {
        if (random.nextBoolean()) {
            ledger.fail(worker.task.id(), "chance");
        } else {
            ledger.giveBack(worker.task.id());
        }
        ask(worker.name);
    }

    private void check() {
        Set<String> held = new HashSet<>();
        ledger.leases()
                .values()
                .forEach(task -> require(
                        held.add(task.range() + "/" + task.epoch() + "/" + task.modelVersion()),
                        task + " is out twice"));
    }

    /** No more faults: the workers that are there, and one more, finish the training. */
    void settle() {
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
        metrics.forEach((v, counted) ->
                require(counted[0] == spec.evaluationRecords(), "version " + v + " counts " + counted[0]));
        require(ledger.proof().holds(), ledger.proof().toString());
        require(ledger.proof().equals(LedgerProof.of(spec, journal)), "the journal proves something else");
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
