package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.internal.threads.DaemonThreads;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits on one thread for changes of the ledger, on behalf of all idle workers. */
public final class LedgerChangeNotifier {
    private final ExecutorService thread;
    private final Queue<WaitingWorker> waiting = new ArrayDeque<>();
    private boolean running;

    /**
     * A waiting worker.
     *
     * @param master master port on which to wait for a change; any waiting worker's port serves all of them
     * @param changed runs when there may be work for the worker
     * @param failed receives the failure of the wait
     */
    public record WaitingWorker(MasterPort master, Runnable changed, Consumer<RuntimeException> failed) {}

    public LedgerChangeNotifier(String name) {
        this.thread = DaemonThreads.pool(name, 1);
    }

    /** Adds a waiting worker. */
    public void add(WaitingWorker worker) {
        synchronized (this) {
            waiting.add(worker);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            thread.execute(this::run);
        } catch (RejectedExecutionException closed) {
            synchronized (this) {
                running = false;
            }
        }
    }

    private void run() {
        for (WaitingWorker first = first(); first != null; first = first()) {
            try {
                first.master.awaitChange();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException gone) {
                synchronized (this) {
                    waiting.remove(first);
                }
                first.failed.accept(gone);
                continue;
            }
            // Also workers that were added meanwhile: ending a wait early costs one request, ending it late costs time.
            drain().forEach(each -> each.changed.run());
        }
    }

    private synchronized @Nullable WaitingWorker first() {
        running = !waiting.isEmpty();
        return waiting.peek();
    }

    private synchronized List<WaitingWorker> drain() {
        List<WaitingWorker> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    public void close() {
        thread.shutdownNow();
    }
}
