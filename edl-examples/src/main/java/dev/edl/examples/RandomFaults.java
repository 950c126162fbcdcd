package dev.edl.examples;

import dev.edl.exec.JobHandle;
import dev.edl.exec.ReplicaStatus;
import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.status.JobEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Injects random faults into a training that runs as local processes or in pods of this machine. Processes are killed
 * by SIGKILL, also two at once, suspended for longer than their lease, or disconnected. Pods are deleted instead of
 * killed. The same seed gives the same faults.
 *
 * <p>Connections are closed by {@code ss -K} of iproute2, which needs Linux and root. Elsewhere it prints that no
 * connections can be cut. A process without connections is disconnected once it has one.
 */
public final class RandomFaults implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RandomFaults.class.getName());

    private static final int LOOK_MILLIS = 5;
    /** Longest run of a program that strikes, and longest wait for the end of the strikes. */
    private static final int BOUND_SECONDS = 10;

    /** Result of an attempt to cut the connections of a process. */
    enum Cut {
        DONE,
        NO_CONNECTIONS,
        IMPOSSIBLE
    }

    private final JobHandle run;
    private final Supplier<Optional<Progress>> progress;
    private final Function<String, OptionalLong> pids;
    private final Predicate<String> delete;
    private final Consumer<String> out;
    private final List<FaultPlan.Fault> faults;
    private final Map<Long, Long> stopped = new LinkedHashMap<>();
    private final Thread thread = new Thread(this::strikeAll, "random-faults");
    private final long began = System.nanoTime();
    private boolean cannotCut;
    private volatile int struck;
    private volatile boolean closed;
    private final AtomicInteger kills = new AtomicInteger();

    private RandomFaults(
            List<FaultPlan.Fault> faults,
            JobHandle run,
            Supplier<Optional<Progress>> progress,
            Function<String, OptionalLong> pids,
            Predicate<String> delete,
            Consumer<String> out) {
        this.faults = faults;
        this.run = run;
        this.progress = progress;
        this.pids = pids;
        this.delete = delete;
        this.out = out;
        thread.setDaemon(true);
    }

    /**
     * Starts to strike a run until {@link FaultPlan#FAULTS} faults have struck, the job has ended, or this object is
     * closed.
     *
     * @param out receives a line for each fault
     */
    public static RandomFaults start(long seed, ProcessRun run, Consumer<String> out) {
        return new RandomFaults(FaultPlan.draw(seed), run, run::progress, name -> pid(run, name), name -> false, out)
                .started();
    }

    /**
     * Starts to strike a run in pods of this machine until all faults have struck, the job has ended, or this object is
     * closed.
     *
     * @param faults number of faults, at least 1
     * @param progress progress of the training
     * @param pids returns the number, on this machine, of the process in a replica's pod; empty if none runs
     * @param delete deletes a replica's pod without a grace period; returns false if it does not exist
     * @param out receives a line for each fault
     */
    public static RandomFaults startInPods(
            long seed,
            int faults,
            JobHandle run,
            Supplier<Optional<Progress>> progress,
            Function<String, OptionalLong> pids,
            Predicate<String> delete,
            Consumer<String> out) {
        return new RandomFaults(FaultPlan.draw(seed, faults, FaultPlan.Kind.DELETE), run, progress, pids, delete, out)
                .started();
    }

    private RandomFaults started() {
        thread.start();
        return this;
    }

    private void strikeAll() {
        double most = 0;
        try {
            while (!closed && !run.status().phase().ended() && (struck < faults.size() || !stopped.isEmpty())) {
                // A lost server lowers the progress.
                most = Math.max(most, progress.get().map(RandomFaults::share).orElse(0.0));
                resume(System.nanoTime());
                int next = struck;
                if (next < faults.size() && faults.get(next).share() <= most && strike(faults.get(next), next + 1)) {
                    struck = next + 1;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            resume(Long.MAX_VALUE);
        }
    }

    private static double share(Progress progress) {
        return (double) progress.tasksDone() / Math.max(1, progress.tasks());
    }

    /** Strikes the targets of a fault; returns false, so that it is tried again, if none of them runs. */
    private boolean strike(FaultPlan.Fault fault, int number) {
        Set<String> names = new LinkedHashSet<>();
        fault.targets().forEach(target -> running(target).ifPresent(names::add));
        List<String> hit = new ArrayList<>();
        for (String name : names) {
            OptionalLong pid = pids.apply(name);
            if (pid.isPresent() && strike(fault, name, pid.getAsLong())) {
                hit.add(name + " (process " + pid.getAsLong() + ")");
            }
        }
        if (hit.isEmpty() && !(fault.kind() == FaultPlan.Kind.CUT && cannotCut)) {
            return false;
        }
        out.accept(String.format(
                Locale.ROOT,
                "fault %d of %d, %.1f s after the start, %.0f %% of the tasks done: %s %s",
                number,
                faults.size(),
                (System.nanoTime() - began) / 1e9,
                100 * progress.get().map(RandomFaults::share).orElse(0.0),
                switch (fault.kind()) {
                    case KILL -> "kill -9";
                    case STOP -> "stopped for " + fault.stop().toSeconds() + " s:";
                    case DELETE -> "pod deleted:";
                    case CUT -> hit.isEmpty() ? "no connections can be cut here" : "all connections cut:";
                },
                String.join(" and ", hit)));
        return true;
    }

    private boolean strike(FaultPlan.Fault fault, String name, long pid) {
        return switch (fault.kind()) {
            case KILL -> killed(isDone("/bin/kill", "-KILL", Long.toString(pid)));
            case DELETE -> killed(delete.test(name));
            case CUT -> {
                Cut cut = cut(pid, RandomFaults::output);
                cannotCut = cut == Cut.IMPOSSIBLE;
                yield cut == Cut.DONE;
            }
            case STOP -> {
                boolean done = isDone("/bin/kill", "-STOP", Long.toString(pid));
                if (done) {
                    stopped.put(pid, System.nanoTime() + fault.stop().toNanos());
                }
                yield done;
            }
        };
    }

    /**
     * Cuts all TCP connections of a process.
     *
     * @param programs returns the output of a program; empty if it is not installed
     */
    static Cut cut(long pid, Function<List<String>, String> programs) {
        String all = programs.apply(List.of("ss", "-Htnp"));
        String filter = all.lines()
                .filter(line -> line.contains("pid=" + pid + ","))
                .map(line -> line.strip().split(" +")[3])
                .map(local -> "sport = :" + local.substring(local.lastIndexOf(':') + 1))
                .collect(Collectors.joining(" or "));
        if (filter.isEmpty()) {
            return all.contains("pid=") ? Cut.NO_CONNECTIONS : Cut.IMPOSSIBLE;
        }
        return programs.apply(List.of("ss", "-HKtn", filter)).isBlank() ? Cut.IMPOSSIBLE : Cut.DONE;
    }

    /** Returns the output of a program; empty if it is not installed or does not end within its bound. */
    private static String output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // Ends the read below if the program hangs.
            Future<?> unused = process.onExit()
                    .orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
                    .whenComplete((ended, late) -> {
                        if (late != null) {
                            process.destroyForcibly();
                        }
                    });
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException none) {
            return "";
        }
    }

    private Optional<String> running(FaultPlan.Target target) {
        List<String> names = run.status().replicas().stream()
                .filter(replica -> replica.role() == target.role())
                .filter(replica -> replica.status().equals("Running"))
                .map(ReplicaStatus::name)
                .sorted()
                .toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(names.get(target.number() % names.size()));
    }

    private static OptionalLong pid(ProcessRun run, String name) {
        try {
            return run.pid(name);
        } catch (IllegalArgumentException ended) {
            return OptionalLong.empty();
        }
    }

    private boolean killed(boolean done) {
        if (done) {
            kills.incrementAndGet();
        }
        return done;
    }

    /** Continues the stopped processes that are due; they may have been killed meanwhile. */
    private void resume(long now) {
        stopped.entrySet().removeIf(stop -> {
            boolean due = now >= stop.getValue();
            if (due && !isDone("/bin/kill", "-CONT", Long.toString(stop.getKey()))) {
                LOG.log(System.Logger.Level.DEBUG, () -> "process " + stop.getKey() + " has ended");
            }
            return due;
        });
    }

    private static boolean isDone(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException none) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the number of faults that have struck. */
    public int struck() {
        return struck;
    }

    /**
     * Returns the messages of failures and relaunches that no kill explains; empty if there are none.
     */
    public List<String> unexplained() {
        List<JobEvent> events = run.events();
        List<String> others = events.stream()
                .filter(event -> event.type() == JobEvent.Type.REPLICA_FAILED
                        || (event.type() == JobEvent.Type.RELAUNCHED
                                && event.message().contains("exit code")))
                .map(JobEvent::message)
                .filter(message -> !message.contains("exit code 137"))
                .toList();
        List<String> relaunches = events.stream()
                .filter(event -> event.type() == JobEvent.Type.RELAUNCHED)
                .map(JobEvent::message)
                .toList();
        return others.isEmpty() && relaunches.size() > kills.get() ? relaunches : others;
    }

    /**
     * Returns the message of a loss that no fault may cause: the updates of some shard are not one for each minibatch.
     * Empty for a training with rounds, whose number depends on their members.
     *
     * @param training the training, of all epochs
     */
    public static Optional<String> lost(Training training, TrainingSummary result) {
        long size = training.minibatch();
        long minibatches = training.epochs()
                * training.data().shards().stream()
                        .mapToLong(shard -> (shard.records() + size - 1) / size)
                        .sum();
        boolean same = result.steps() == minibatches && !result.proof().contains(TrainingResult.AT_VERSION);
        return same || training.consistency().gradsToWait() > 1
                ? Optional.empty()
                : Optional.of(result.steps() + " steps of " + minibatches + " minibatches: " + result.proof());
    }

    /** Ends the faults, and continues the replicas that are stopped. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
