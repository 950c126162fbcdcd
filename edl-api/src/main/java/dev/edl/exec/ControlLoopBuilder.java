package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builder of a {@link ControlLoop}; every setting has a default. Not thread-safe. */
public final class ControlLoopBuilder {
    final JobPlan plan;
    final Substrate substrate;
    final List<Consumer<JobEvent>> listeners = new ArrayList<>();
    Reconciler reconciler = Reconciler.standard();
    InstantSource clock = InstantSource.system();
    Consumer<JobState> journal = state -> {};
    Duration lag = Duration.ZERO;
    RetryPolicy retry = RetryPolicy.DEFAULT;
    Optional<Duration> unreachable = Optional.empty();
    final List<Consumer<RequestFailure>> failures = new ArrayList<>();

    @Nullable
    Executor applier;

    JobState from;

    ControlLoopBuilder(JobPlan plan, Substrate substrate) {
        this.plan = plan;
        this.substrate = substrate;
        this.from = JobState.initial(plan);
    }

    /** Sets the reconciler, which decides the actions of each pass; the default is {@link Reconciler#standard}. */
    public ControlLoopBuilder reconciler(Reconciler decides) {
        this.reconciler = decides;
        return this;
    }

    /** Sets the clock for ages, backoff, deadline and time to live; the default is the system's clock. */
    public ControlLoopBuilder clock(InstantSource time) {
        this.clock = time;
        return this;
    }

    /** Sets the state from which the loop continues a job that was driven before; by default it starts a new job. */
    public ControlLoopBuilder from(JobState state) {
        this.from = state;
        return this;
    }

    /**
     * Sets the journal, which persists the next state of each decision before the loop applies the decision's actions.
     * If the journal throws, no action is applied and the write is retried. The default persists nothing.
     */
    public ControlLoopBuilder journal(Consumer<JobState> keeps) {
        return journal(keeps, Duration.ZERO);
    }

    /**
     * Sets the journal as {@link #journal(Consumer)} does, for a journal whose writes are expensive. The write of a
     * state is deferred if its decision has no action and a new driver can derive the state from the replicas
     * ({@link JobState#isDeferrableFrom}). It is made after the lag or when the loop is closed, unless a later state is
     * written first.
     *
     * @param lag the longest time for which a write is deferred, at least zero, for example 5 seconds
     */
    public ControlLoopBuilder journal(Consumer<JobState> keeps, Duration lag) {
        if (lag.isNegative()) {
            throw new IllegalArgumentException(
                    "lag must be at least zero, was " + lag + "; for example Duration.ofSeconds(5)");
        }
        this.journal = keeps;
        this.lag = lag;
        return this;
    }

    /** Sets the pauses before a failed request is retried; the default is {@link RetryPolicy#DEFAULT}. */
    public ControlLoopBuilder retry(RetryPolicy policy) {
        this.retry = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Sets how long the substrate may be unreachable before the loop stops. The default is no limit. The substrate is
     * unreachable while observations fail, writes to the journal fail, or {@link Substrate#staleSince} is present.
     *
     * <p>The loop then ends as lost ({@link JobEvent.Type#JOB_LOST}), and {@link JobHandle#await} throws
     * {@link JobLostException}. The job is not affected: the loop deletes and writes nothing, the replicas continue,
     * and another loop can take the job over.
     *
     * @param limit more than zero
     */
    public ControlLoopBuilder unreachableTimeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(
                    "unreachableTimeout must be more than zero, for example Duration.ofMinutes(30); was " + limit);
        }
        this.unreachable = Optional.of(limit);
        return this;
    }

    /**
     * Adds a listener that is called after each failed request, on the loop's thread, with the failure of this request
     * alone. It is meant for counters and must return at once. A listener that throws is removed.
     */
    public ControlLoopBuilder onRequestFailure(Consumer<RequestFailure> listener) {
        this.failures.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets the executor that applies independent actions of one decision in parallel: consecutive creations, and
     * consecutive deletions of one role.
     *
     * <p>A pass ends after its last action, so the executor's threads limit the requests in flight. The executor must
     * run or reject each task. By default the thread of the pass applies one action after the other.
     */
    public ControlLoopBuilder applier(Executor threads) {
        this.applier = threads;
        return this;
    }

    /** Adds a listener that is called with every event from the first on; see {@link JobHandle#onEvent}. */
    public ControlLoopBuilder onEvent(Consumer<JobEvent> listener) {
        this.listeners.add(listener);
        return this;
    }

    /**
     * Returns a loop that has no thread yet. The caller makes its passes with {@link ControlLoop#step}, and may start a
     * thread for them with {@link ControlLoop#drive} at any time.
     */
    public ControlLoop manual() {
        return new ControlLoop(this);
    }

    /** Returns a loop with its own daemon thread, named {@code edl-<job>}. */
    public ControlLoop start() {
        ControlLoop loop = new ControlLoop(this);
        loop.drive();
        return loop;
    }
}
