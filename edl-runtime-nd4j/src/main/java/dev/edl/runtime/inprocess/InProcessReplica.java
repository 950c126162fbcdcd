package dev.edl.runtime.inprocess;

import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.ReplicaRunner;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.TrainingFailedException;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One replica of a job in this JVM: its thread and its outcome. */
final class InProcessReplica {
    private static final System.Logger LOG = System.getLogger(InProcessReplica.class.getName());
    private static final int FAILED = 1;
    private static final int KILLED = 137;

    private final ReplicaPlan plan;
    private final ReplicaRunner services;
    private final ReplicaContext context;
    private final Thread thread;
    private final Consumer<InProcessReplica> ended;
    private ObservedPhase phase = ObservedPhase.PENDING;
    private int exitCode = -1;
    private @Nullable String reason;
    private boolean deleted;
    private boolean killed;

    InProcessReplica(ReplicaPlan plan, ReplicaRunner services, Consumer<InProcessReplica> ended) {
        this.plan = plan;
        this.services = services;
        this.ended = ended;
        this.context = new ReplicaContext(plan);
        this.thread = new Thread(this::run, plan.name());
        this.thread.setDaemon(true);
    }

    String name() {
        return plan.name();
    }

    synchronized void start() {
        phase = ObservedPhase.RUNNING;
        thread.start();
    }

    /** Stops the replica; its next call ends its work. */
    void delete() {
        synchronized (this) {
            deleted = true;
        }
        stop();
    }

    void kill() {
        synchronized (this) {
            killed = true;
        }
        stop();
    }

    private void stop() {
        context.stop();
        // Its tasks go to other workers at once, without waiting for its thread.
        services.gone(plan);
    }

    synchronized boolean deleted() {
        return deleted;
    }

    synchronized boolean over() {
        return phase == ObservedPhase.SUCCEEDED || phase == ObservedPhase.FAILED;
    }

    synchronized ObservedReplica observed() {
        return new ObservedReplica(
                plan.name(),
                plan.role(),
                plan.id(),
                phase,
                exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode),
                Optional.ofNullable(reason),
                deleted);
    }

    /**
     * Waits for the end of the thread; interrupts it after a quarter of the time, because it may be busy in the user's
     * code.
     *
     * @param millis maximum wait in milliseconds
     */
    void join(long millis) {
        try {
            thread.join(Math.max(1, millis / 4));
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(Math.max(1, millis * 3 / 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    plan.name() + " is still busy in the model or the data and cannot be stopped; its work has no"
                            + " effect, but its thread stays");
        }
    }

    private void run() {
        int code = 0;
        String why = null;
        try {
            services.run(plan, context);
        } catch (ReplicaStoppedException stopped) {
            code = KILLED;
        } catch (TrainingFailedException failure) {
            code = SharedTrainingState.CANNOT_SUCCEED;
            why = failure.getMessage();
        } catch (TryAgainException away) {
            code = SharedTrainingState.TRY_AGAIN;
            why = away.getMessage();
        } catch (Throwable failure) {
            code = FAILED;
            why = ExceptionText.of(failure);
        }
        try {
            services.gone(plan);
        } finally {
            // Notifying may need a new thread, which the system may refuse; the job must see the end all the same.
            end(code, why);
        }
    }

    private void end(int code, @Nullable String why) {
        synchronized (this) {
            boolean cut = killed || deleted;
            exitCode = cut ? KILLED : code;
            reason = cut ? null : why;
            phase = exitCode == 0 ? ObservedPhase.SUCCEEDED : ObservedPhase.FAILED;
        }
        ended.accept(this);
    }
}
