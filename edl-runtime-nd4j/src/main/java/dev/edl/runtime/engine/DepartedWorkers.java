package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.spec.RoleType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workers that have left, each stored until a master has taken back its tasks. Thread-safe. Notifies the
 * master on a separate thread.
 */
final class DepartedWorkers {
    private final ExecutorService thread;
    private final Supplier<? extends @Nullable LedgerMaster> present;
    private final Consumer<String> leave;
    private final Set<String> unreported = new LinkedHashSet<>();

    /**
     * Creates the set for one run.
     *
     * @param present returns the current master
     * @param leave removes a worker from the rounds of synchronous training, if there is a master
     */
    DepartedWorkers(String master, Supplier<? extends @Nullable LedgerMaster> present, Consumer<String> leave) {
        this.thread = DaemonThreads.onDemand(master + "-departures");
        this.present = present;
        this.leave = leave;
    }

    /** Records a replica that is cut off or has ended, if it is a worker. Returns at once. */
    void gone(ReplicaPlan replica) {
        if (replica.role() == RoleType.WORKER) {
            gone(replica.name());
        }
    }

    /** Records a worker that is cut off or has ended. Returns at once. */
    void gone(String worker) {
        synchronized (unreported) {
            unreported.add(worker);
        }
        try {
            thread.execute(() -> departed(worker));
        } catch (RejectedExecutionException closed) {
            // The run is closed: there is no master.
            return;
        }
    }

    private void departed(String worker) {
        leave.accept(worker);
        LedgerMaster master = present.get();
        if (master == null) {
            return;
        }
        try {
            tell(worker, master);
        } catch (MasterGoneException next) {
            // The next master calls tellAll.
            return;
        }
    }

    private void tell(String worker, LedgerMaster master) {
        master.workerGone(worker);
        synchronized (unreported) {
            unreported.remove(worker);
        }
    }

    /** Notifies a new master of the workers that left while there was none. */
    void tellAll(LedgerMaster master) {
        List<String> all;
        synchronized (unreported) {
            all = List.copyOf(unreported);
        }
        all.forEach(worker -> {
            leave.accept(worker);
            tell(worker, master);
        });
    }

    /** Returns the number of departed workers that were not reported to a master. */
    int unreported() {
        synchronized (unreported) {
            return unreported.size();
        }
    }

    void close() {
        thread.shutdownNow();
    }
}
