package dev.edl.runtime.wire.control;

import dev.edl.runtime.task.Task;
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
 * What a worker has to say that can wait: kept together and sent at most every so often, so that a minibatch costs no message.
 * What is kept has a bounded size, also while the master takes nothing. Safe for several threads.
 */
final class ReportBatcher {
    /** Tasks whose last sign of life is remembered; a worker holds two. */
    private static final int TASKS = 8;

    /** Losses for the log that are kept while the master takes nothing; the oldest goes first. */
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
     * Notes what the worker does. The master counts from the last sign, so of several minibatches one of each sign is enough: it
     * needs to know that gradients come, and what the worker does now.
     */
    synchronized void sign(ReportBatch.Sign sign) {
        signs.add(sign);
        last = sign;
        added();
    }

    /** Leaves the rounds, at once. */
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

    /** Sends now unless something was sent just now; then an alarm sends it. */
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
            // The master takes nothing now; what is kept does not grow meanwhile.
            alarm(every);
        }
    }

    /** Sends what there is, before a request that it must not overtake. */
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

    /** A minibatch that began, a gradient, and what the worker does now. */
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
