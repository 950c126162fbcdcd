package dev.edl.exec.local;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ExecutorRuns;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executor that runs each replica as an operating-system process of this machine, with its framework's environment.
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
 * <p>Relaunch, scaling, deadline and cleanup follow the same policies as on a cluster. If a signal ends a process, its
 * exit code is 128 plus the signal's number: 137 for KILL.
 *
 * <p><b>Addresses.</b> Every replica gets its own port on 127.0.0.1, which its environment contains. The ports of the
 * roles are ignored. A successor gets the address of the replica that it replaces, and starts only after that
 * replica has ended.
 *
 * <p><b>Environment of a process.</b>
 *
 * <ul>
 *   <li>The role's command and arguments unchanged; {@code $(NAME)} is not expanded.
 *   <li>PATH, HOME, the plan's variables, and variables added by {@link LocalExecutorBuilder#inherit}.
 *   <li>{@code EDL_LOCAL_REPLICA}, by which the executor finds the replica's processes.
 *   <li>PWD, SHLVL and _, if {@code /bin/sh} is bash.
 *   <li>An empty standard input.
 *   <li>This JVM's working directory, unless {@link LocalExecutorBuilder#directory(Path)} sets another one.
 * </ul>
 *
 * <p><b>Ignored settings.</b> Requests, limits, priorities, ports, namespace, labels and annotations have no effect,
 * since nothing is scheduled. Jobs with images or volumes are rejected, unless the executor was built to ignore them.
 *
 * <p><b>Cleanup.</b> No process is left behind. A stopped replica and all processes that it started get signal TERM,
 * and KILL after the grace period. Replicas are stopped:
 *
 * <ul>
 *   <li>At the end of the job: the replicas that its cleanup policy removes.
 *   <li>At {@link #close}: all replicas.
 *   <li>Before this JVM exits normally or by Ctrl-C: all replicas.
 *   <li>Right after this JVM crashes or is killed: all replicas.
 * </ul>
 *
 * <p>A process escapes only if it has left its session, cleaned its environment and lost its parent. Without
 * {@code /proc} (macOS), leaving its session and losing its parent is enough.
 *
 * <p>It requires Linux or macOS. Thread-safe.
 */
public final class LocalExecutor implements JobExecutor {
    private static final AtomicLong MADE = new AtomicLong();

    private final LocalExecutorBuilder options;
    private final ProcessSupervisor supervisor;
    private final LoopbackPorts ports;
    private final ExecutorRuns<LocalRun> runs = new ExecutorRuns<>();
    private final Thread hook = new Thread(this::shutDown, "edl-local-shutdown");
    private final String mark;
    private long submitted;

    LocalExecutor(LocalExecutorBuilder options) {
        this.options = options;
        this.supervisor = options.host.supervisor();
        long pid = ProcessHandle.current().pid();
        // Multiplied by a prime, so that processes with consecutive ids start far from each other.
        this.ports = new LoopbackPorts(options.firstPort, options.lastPort, pid * 1009);
        this.mark = pid + "-" + Instant.now().toEpochMilli() + "-" + MADE.incrementAndGet();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Returns an executor that prints no logs; {@link #builder} has the options.
     *
     * @throws UnsupportedOperationException on Windows, and when this machine lacks a tool that starts or ends
     *     processes
     */
    public static LocalExecutor create() {
        return builder().build();
    }

    /**
     * Returns a builder of an executor.
     *
     * @throws UnsupportedOperationException on Windows
     */
    public static LocalExecutorBuilder builder() {
        return new LocalExecutorBuilder(HostEnvironment.here());
    }

    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job cannot run as processes: a role has no command, its program,
     *     working directory or a secret's value does not exist, it has an image or volumes that are not ignored, or its
     *     command and environment exceed a limit of the system
     * @throws IllegalArgumentException when a job of this name is already running in this executor
     * @throws IllegalStateException when this executor is closed, or no port is free
     * @throws java.io.UncheckedIOException when the log directory cannot be written to
     */
    @Override
    public LocalRun submit(Job job) {
        return submit(Objects.requireNonNull(job, "job").plan());
    }

    /**
     * Plans a job, starts it and returns at once; throws as {@link #submit(Job)} does.
     *
     * @param listener called with every event from the first on; see {@link dev.edl.exec.JobHandle#onEvent}
     */
    public LocalRun submit(Job job, Consumer<JobEvent> listener) {
        return submit(Objects.requireNonNull(job, "job").plan(), listener);
    }

    /**
     * Starts a planned job and returns at once; replicas get addresses of this machine instead of the plan's.
     *
     * @throws dev.edl.plan.PlanException when the job cannot run as processes, for the reasons of {@link #submit(Job)}
     * @throws IllegalArgumentException when a job of this name is already running in this executor
     * @throws IllegalStateException when this executor is closed, or no port is free
     * @throws java.io.UncheckedIOException when the log directory cannot be written to
     */
    @Override
    public LocalRun submit(JobPlan plan) {
        return submit(plan, event -> {});
    }

    /**
     * Starts a planned job and returns at once; throws as {@link #submit(JobPlan)} does.
     *
     * @param listener called with every event from the first on; see {@link dev.edl.exec.JobHandle#onEvent}
     */
    public LocalRun submit(JobPlan plan, Consumer<JobEvent> listener) {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(listener, "listener");
        return runs.submit(() -> begin(plan, listener));
    }

    private LocalRun begin(JobPlan plan, Consumer<JobEvent> listener) {
        runs.checkOpen(plan.name(), "start");
        Optional<LocalRun> old = runs.get(plan.name());
        if (old.filter(run -> !run.over()).isPresent()) {
            throw new IllegalArgumentException(
                    "job \"" + plan.name() + "\" is running here; wait for its end, or close it");
        }
        LocalPlanCheck.check(plan, options);
        // Its addresses are free then.
        old.ifPresent(LocalRun::close);
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
        // Reserves the ports of all first replicas now, so that submit throws if there are too few.
        for (RolePlan role : plan.roles()) {
            plan.endpoints(role);
        }
        submitted++;
        LocalReplicaLauncher launch = new LocalReplicaLauncher(plan, supervisor, options, mark + "-" + submitted);
        CommandSizeCheck.check(plan, launch);
        launch.files().check();
        LocalSubstrate substrate = new LocalSubstrate(launch);
        ControlLoop loop = ControlLoop.of(plan, substrate).onEvent(listener).manual();
        return new LocalRun(loop, substrate, addresses);
    }

    @Override
    public List<LocalRun> jobs() {
        return runs.all();
    }

    /**
     * Ends all processes of every job and waits for them. As a last resort, kills a job's processes that remain after
     * the grace period plus 10 s plus 0.2 s for each of its replicas.
     *
     * @throws IllegalStateException when a process remains although it was killed
     */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook stops the same runs.
        }
        // First all are stopped, so that the grace periods of several jobs overlap.
        runs.end(LocalRun::stop, LocalRun::close);
    }

    /** Returns one line: {@code LocalExecutor on ports 20000 to 32000, jobs: mnist, resnet}. */
    @Override
    public String toString() {
        return "LocalExecutor on ports " + options.firstPort + " to " + options.lastPort + ", " + runs;
    }

    /**
     * Stops all runs when the JVM ends, and waits for their processes. Waits for no listener or log reader: one of them
     * may have called {@code exit}.
     */
    private void shutDown() {
        runs.end(LocalRun::stop, LocalRun::awaitGone);
    }
}
