package dev.edl.runtime.wire.control;

import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.ReportBatch;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Batches a worker's reports that can wait, and sends them at a limited rate, so that a minibatch costs no message. The
 * batch has a bounded size, even while the master reads nothing. Safe for several threads.
 */
final class ReportBatcher {
    /** Maximum number of tasks whose last progress report is remembered; a worker holds two tasks. */
    private static final int TASKS = 8;

    /**
     * Maximum number of losses for the log that are kept while the master reads nothing; the oldest is dropped first.
     */
    private static final int LOGGED = 1000;

    private final RpcPeer peer;
    private final TimerService timers;
    private final long every;
    private final long touchEvery;
    private final Map<Task, Long> touches = new LinkedHashMap<>();

    private final Set<ReportBatch.Sign> signs = new LinkedHashSet<>();
    private final Set<Task> touched = new LinkedHashSet<>();
    private final List<ReportBatch.Logged> logged = new ArrayList<>();
    private ReportBatch.Sign last = ReportBatch.Sign.LEAVES;
    private int losses;
    private double lossSum;
    private long version;
    private boolean empty = true;
    private boolean alarmed;
    private long sent;

    ReportBatcher(RpcPeer peer, TimerService timers, Welcome welcome) {
        this.peer = peer;
        this.timers = timers;
        this.every = welcome.notesNanos();
        this.touchEvery = welcome.touchesNanos();
        this.sent = timers.nanoTime() - every;
    }

    /**
     * Reports a step of a minibatch as a sign of life. The master measures a worker's silence from the last sign, so
     * one sign of each kind is enough for several minibatches.
     */
    synchronized void sign(ReportBatch.Sign sign) {
        signs.add(sign);
        last = sign;
        added();
    }

    /** Reports at once that the worker leaves the rounds. */
    synchronized void leave() {
        signs.clear();
        sign(ReportBatch.Sign.LEAVES);
        flush();
    }

    synchronized void touch(Task task) {
        long now = timers.nanoTime();
        Long before = touches.get(task);
        if (before != null && now - before < touchEvery) {
            return;
        }
        touches.remove(task);
        touches.put(task, now);
        if (touches.size() > TASKS) {
            touches.remove(touches.keySet().iterator().next());
        }
        touched.add(task);
        added();
    }

    synchronized void loss(float loss, long made) {
        losses++;
        lossSum += loss;
        version = Math.max(version, made);
        added();
    }

    synchronized void log(float loss, long made) {
        if (logged.size() == LOGGED) {
            logged.remove(0);
        }
        logged.add(new ReportBatch.Logged(loss, made));
        added();
    }

    /** Sends the batch now; if another was sent just before, a timer sends it later. */
    private void added() {
        empty = false;
        if (alarmed) {
            return;
        }
        long left = every - (timers.nanoTime() - sent);
        if (left <= 0 && peer.isReady()) {
            flush();
        } else {
            alarm(left <= 0 ? every : left);
        }
    }

    private void alarm(long nanos) {
        alarmed = true;
        timers.schedule(Duration.ofNanos(nanos), this::rings);
    }

    private synchronized void rings() {
        alarmed = false;
        if (empty || peer.isClosed()) {
            return;
        }
        if (peer.isReady()) {
            flush();
        } else {
            // The master reads nothing now; the batch does not grow meanwhile.
            alarm(every);
        }
    }

    /** Sends the batch before a request that must not overtake it. */
    synchronized void flush() {
        if (empty) {
            return;
        }
        peer.sendNotification(
                MessageNames.NOTES,
                new ReportBatch(inOrder(), List.copyOf(touched), losses, lossSum, version, List.copyOf(logged)));
        signs.clear();
        touched.clear();
        logged.clear();
        losses = 0;
        lossSum = 0;
        empty = true;
        sent = timers.nanoTime();
    }

    /** Returns the signs to send, in order: a minibatch start, a computed gradient, and the worker's last sign. */
    private List<ReportBatch.Sign> inOrder() {
        List<ReportBatch.Sign> all = new ArrayList<>();
        if (signs.contains(ReportBatch.Sign.BEGINS)) {
            all.add(ReportBatch.Sign.BEGINS);
        }
        if (signs.contains(ReportBatch.Sign.COMPUTED)) {
            all.add(ReportBatch.Sign.COMPUTED);
        }
        if (!signs.isEmpty() && (all.isEmpty() || all.get(all.size() - 1) != last)) {
            all.add(last);
        }
        return all;
    }
}
