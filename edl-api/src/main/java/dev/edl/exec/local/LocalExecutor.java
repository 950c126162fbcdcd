package dev.edl.exec.local;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on this machine: each replica is an operating-system process, with its framework's environment.
 *
 * <pre>{@code
 * Job job = Job.named("mnist").tensorflow().ps(1).workers(2).chief()
 *     .command("python3", "train.py")                    // in role scope: that role; before any role: all
 *     .build();
 * try (LocalExecutor local = LocalExecutor.builder().logsTo(System.out).build();
 *      LocalRun run = local.submit(job)) {
 *   JobStatus end = run.await(Duration.ofMinutes(10));
 * }
 * }</pre>
 *
 * <p>The same policies as everywhere decide on relaunch, scaling, deadline and cleanup; a process that a signal ends has the
 * exit code 128 and the signal's number, 137 for KILL.
 *
 * <p><b>Addresses.</b> Every replica gets a port of its own on 127.0.0.1, and the environment names it: the ports of the
 * roles mean nothing here. A replica that takes over for another gets its address, and starts when the other has ended.
 *
 * <p><b>What a process gets.</b> The role's command and arguments as they stand, {@code $(NAME)} included; PATH, HOME,
 * the plan's variables, {@code EDL_LOCAL_REPLICA} by which its processes are found again, and what {@link
 * LocalExecutorBuilder#inherit} adds; an empty standard input; this JVM's working directory, unless {@link LocalExecutorBuilder#directory(Path)} names
 * another. Where {@code /bin/sh} is bash,
 * that adds PWD, SHLVL and _.
 *
 * <p><b>What has no effect.</b> Requests, limits, priorities, ports, namespace, labels and annotations: there is nothing to
 * schedule. Images and volumes are refused, unless the executor was built to ignore them.
 *
 * <p><b>What is left behind: nothing.</b> A replica that is to go is sent TERM, with all that it started, and KILL after the
 * grace period. That happens at the end of the job to those which its cleanup policy removes, at {@link #close} to all; when
 * this JVM ends in order or by Ctrl-C, before it is gone; when it crashes or is killed, right after. Only a process that
 * has left its session, cleaned its environment and lost its parent is not found; nor, without {@code /proc} (macOS), is one
 * that has left its session and lost its parent.
 *
 * <p>It needs Linux or macOS. Thread-safe.
 */
public final class LocalExecutor implements JobExecutor {
    private static final AtomicLong MADE = new AtomicLong();

    private final LocalExecutorBuilder options;
    private final Supervisor supervisor;
    private final LoopbackPorts ports;
    private final Map<String, LocalRun> runs = new LinkedHashMap<>();
    private final Thread hook = new Thread(this::shutDown, "edl-local-shutdown");
    private final String mark;
    private long submitted;
    private boolean closed;

    LocalExecutor(LocalExecutorBuilder options) {
        this.options = options;
        this.supervisor = options.host.supervisor();
        long pid = ProcessHandle.current().pid();
        // A prime apart, so that neighbours among the processes begin far from each other.
        this.ports = new LoopbackPorts(options.firstPort, options.lastPort, pid * 1009);
        this.mark = pid + "-" + Instant.now().toEpochMilli() + "-" + MADE.incrementAndGet();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * An executor that prints no log; {@link #builder} has the options.
     *
     * @throws UnsupportedOperationException on Windows, and where a tool is missing that processes are begun and ended with
     */
    public static LocalExecutor create() {
        return builder().build();
    }

    /**
     * Begins to say how jobs are to be run.
     *
     * @throws UnsupportedOperationException on Windows
     */
    public static LocalExecutorBuilder builder() {
        return new LocalExecutorBuilder(HostEnvironment.here());
    }

    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job cannot run as processes: a role without a command, with a program that
     *     is not there, with an image or a volume, with more to hand over than the system takes
     * @throws IllegalArgumentException when a job of this name is running here
     * @throws IllegalStateException when this executor is closed, or no port is free
     * @throws java.io.UncheckedIOException when logs cannot be written where they are to be kept
     */
    @Override
    public LocalRun submit(Job job) {
        return submit(Objects.requireNonNull(job, "job").plan());
    }

    /**
     * Plans a job, starts it and returns at once; fails as {@link #submit(Job)} does.
     *
     * @param listener hears every event from the first on; see {@link dev.edl.exec.JobHandle#onEvent}
     */
    public LocalRun submit(Job job, Consumer<JobEvent> listener) {
        return submit(Objects.requireNonNull(job, "job").plan(), listener);
    }

    /**
     * Starts a planned job and returns at once; its addresses are replaced by those of this machine.
     *
     * @throws dev.edl.plan.PlanException when the job cannot run as processes: a role without a command, with a program that
     *     is not there, with an image or a volume
     * @throws IllegalArgumentException when a job of this name is running here
     * @throws IllegalStateException when this executor is closed, or no port is free
     * @throws java.io.UncheckedIOException when logs cannot be written where they are to be kept
     */
    @Override
    public LocalRun submit(JobPlan plan) {
        return submit(plan, event -> {});
    }

    /**
     * Starts a planned job and returns at once; fails as {@link #submit(JobPlan)} does.
     *
     * @param listener hears every event from the first on; see {@link dev.edl.exec.JobHandle#onEvent}
     */
    public synchronized LocalRun submit(JobPlan plan, Consumer<JobEvent> listener) {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(listener, "listener");
        if (closed) {
            throw new IllegalStateException("job \"" + plan.name() + "\" cannot start: the executor is closed");
        }
        LocalRun old = runs.get(plan.name());
        if (old != null && !old.over()) {
            throw new IllegalArgumentException(
                    "job \"" + plan.name() + "\" is running here; wait for its end, or close it");
        }
        LocalPlanCheck.check(plan, options);
        if (old != null) {
            old.close();
        }
        LoopbackPorts.JobAddresses addresses = ports.addresses(plan.name());
        @Nullable LocalRun run = null;
        try {
            run = start(plan.reachedBy(addresses), addresses, listener);
            runs.put(plan.name(), run);
            return run;
        } finally {
            if (run == null) {
                addresses.free();
            }
        }
    }

    private LocalRun start(JobPlan plan, LoopbackPorts.JobAddresses addresses, Consumer<JobEvent> listener) {
        // Claims the ports of all first replicas now, so that submit throws if there are too few.
        for (RolePlan role : plan.roles()) {
            plan.endpoints(role);
        }
        submitted++;
        LocalLaunch launch = new LocalLaunch(plan, supervisor, options, mark + "-" + submitted);
        LaunchLimits.check(plan, launch);
        launch.files().check();
        LocalSubstrate substrate = new LocalSubstrate(launch);
        ControlLoop loop = ControlLoop.of(plan, substrate).onEvent(listener).manual();
        return new LocalRun(loop, substrate, addresses);
    }

    @Override
    public synchronized List<LocalRun> jobs() {
        return List.copyOf(runs.values());
    }

    /**
     * Ends every job and all its processes, and waits for that: the grace period, ten seconds and 0.2 s for each
     * replica at most.
     *
     * @throws IllegalStateException when the system does not let a killed process go
     */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook does the same as this.
            end();
            return;
        }
        end();
    }

    /** One line: {@code LocalExecutor on ports 20000 to 32000, jobs: mnist, resnet}. */
    @Override
    public synchronized String toString() {
        return "LocalExecutor on ports " + options.firstPort + " to " + options.lastPort
                + (closed ? ", closed" : runs.isEmpty() ? ", no jobs" : ", jobs: " + String.join(", ", runs.keySet()));
    }

    /** Stops all runs when the JVM ends. It waits for no listener or log reader: one of them may have called {@code exit}. */
    private void shutDown() {
        List<LocalRun> all = runsAtEnd();
        all.forEach(LocalRun::stop);
        all.forEach(LocalRun::awaitGone);
    }

    private synchronized List<LocalRun> runsAtEnd() {
        closed = true;
        return jobs();
    }

    private void end() {
        List<LocalRun> all = runsAtEnd();
        // Without the lock: a listener of a job that ends may ask this executor something. All at once: the grace
        // periods of several jobs are one.
        List<RuntimeException> failures = new ArrayList<>(failures(all, LocalRun::stop));
        failures.addAll(failures(all, LocalRun::close));
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** Does it to every run, also when it fails for one. */
    private static List<RuntimeException> failures(List<LocalRun> runs, Consumer<LocalRun> what) {
        List<RuntimeException> failures = new ArrayList<>();
        for (LocalRun run : runs) {
            try {
                what.accept(run);
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        return failures;
    }
}
