package dev.edl.k8s;

import dev.edl.exec.LogLine;
import dev.edl.exec.Subscription;
import dev.edl.k8s.internal.logs.ChangeSignal;
import dev.edl.k8s.internal.logs.LogSource;
import dev.edl.k8s.internal.logs.PodHistory;
import dev.edl.k8s.internal.logs.PodLog;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Subscription to the log lines of a replica and its successors, as they are written; see
 * {@link KubernetesRun#logs(String, Consumer)}. Thread-safe.
 */
public final class LogFollower implements Subscription {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Time without data after which the log of a deleted pod counts as read to its end. */
    private static final Duration REST = Duration.ofSeconds(10);

    private final LogFollowedJob job;
    private final LogSource logs;
    private final OptionalInt tail;
    private final ReplicaSlot slot;
    private final PodHistory history;
    private final Consumer<LogLine> reader;
    private final ChangeSignal signal = new ChangeSignal();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    /** Uids of the pods whose log was read to its end. */
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    private Subscription reading = () -> {};
    private @Nullable String latest;
    private volatile @Nullable PodLog current;
    private volatile @Nullable RuntimeException failure;
    private volatile boolean closed;

    /** @param tail number of lines of the log so far that the reader receives; empty for all */
    LogFollower(LogFollowedJob job, LogSource logs, ReplicaSlot slot, OptionalInt tail, Consumer<LogLine> reader) {
        this.job = job;
        this.logs = logs;
        this.tail = tail;
        this.slot = slot;
        this.history = new PodHistory(job.plan().name(), slot, job::pods, logs);
        this.reader = reader;
        this.thread = new Thread(
                this::run, "edl-" + job.plan().name() + "-" + slot.role().id() + "-" + slot.index() + "-log");
        this.thread.setDaemon(true);
    }

    void start() {
        // Before any pod can end whose log this follower is to read.
        reading = job.addReader(this::unread);
        thread.start();
    }

    private void run() {
        Subscription changes = job.onChange(this::wakeReader);
        try {
            while (!closed) {
                // Read first, so that the list includes the pod whose end finished the job.
                boolean over = job.over();
                Optional<Pod> next = next();
                if (next.isPresent()) {
                    read(next.get());
                } else if (over) {
                    return;
                } else {
                    signal.await(LOOK);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failed(new IllegalStateException(e.getMessage(), e));
        } catch (RuntimeException e) {
            failed(e);
        } finally {
            reading.close();
            changes.close();
            job.close();
            ended.countDown();
        }
    }

    private void failed(RuntimeException why) {
        if (!closed) {
            failure = why;
        }
    }

    /**
     * Wakes the reading thread after a change. If the pod whose log is read was deleted, closes a connection that stays
     * silent, because it may hang, for example when the pod's node is lost.
     */
    private void wakeReader() {
        signal.give();
        PodLog reading = current;
        if (reading != null && job.now(reading.pod()).isEmpty()) {
            CompletableFuture.delayedExecutor(REST.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> breakOff(reading));
        }
    }

    private void breakOff(PodLog reading) {
        if (reading != current) {
            return;
        }
        if (reading.silentFor(REST)) {
            reading.breakOff();
        } else {
            wakeReader();
        }
    }

    /** Returns the first started pod of the slot whose log was not read to its end. */
    private Optional<Pod> next() {
        return history.pods(job.state()).stream()
                .filter(pod -> !done.contains(pod.getMetadata().getUid()))
                .findFirst();
    }

    /** Returns whether this follower reads the pod's log and has not reached its end. */
    private boolean unread(Pod pod) {
        return !closed
                && !done.contains(pod.getMetadata().getUid())
                && slot.of(job.state(), pod.getMetadata().getName()).isPresent();
    }

    private void read(Pod pod) throws IOException, InterruptedException {
        String name = slot.role().replica(PodMapper.id(pod));
        if (latest != null) {
            tell(new LogLine(
                    job.plan().name(), name, name.equals(latest) ? "was relaunched" : "replaces " + latest, true));
        }
        // A successor's log is new.
        OptionalInt from = latest == null ? tail : OptionalInt.empty();
        latest = name;
        PodLog log = new PodLog(
                logs,
                pod,
                from,
                fragment -> tell(new LogLine(job.plan().name(), name, fragment.text(), fragment.foreign())));
        current = log;
        // The pod may have been deleted before it became the current one.
        wakeReader();
        try {
            Duration pause = Duration.ofMillis(100);
            while (!closed) {
                boolean last = job.now(pod).filter(p -> !PodMapper.hasEnded(p)).isEmpty();
                if (log.read(last) && last) {
                    break;
                }
                signal.await(pause);
                pause = pause.multipliedBy(2).compareTo(LOOK) < 0 ? pause.multipliedBy(2) : LOOK;
            }
        } finally {
            current = null;
            done.add(pod.getMetadata().getUid());
        }
    }

    private void tell(LogLine line) {
        if (!closed) {
            reader.accept(line);
        }
    }

    /**
     * Waits until the job and the log have ended and the reader has received the last line.
     *
     * @param limit longest wait
     * @return true when the log ended or this subscription was closed; false when the limit passed
     * @throws IllegalStateException when the log could not be read further, for example without {@code get} of
     *     {@code pods/log}; an exception of the reader is rethrown unchanged
     */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        boolean came = ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        RuntimeException why = failure;
        if (came && why != null) {
            throw why;
        }
        return came;
    }

    /** Returns whether no more lines follow and the thread has ended. */
    boolean over() {
        return ended.getCount() == 0 && !thread.isAlive();
    }

    /** Stops reading, and waits for the reader to return. A second call does nothing. */
    @Override
    public void close() {
        closed = true;
        signal.give();
        PodLog reading = current;
        if (reading != null) {
            reading.close();
        }
        if (thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "the reader of the log of " + this + " did not return within " + PATIENCE.multipliedBy(2));
        }
    }

    /** Returns the job and the slot: {@code mnist worker 0}. */
    @Override
    public String toString() {
        return job.plan().name() + " " + slot.role().id() + " " + slot.index();
    }
}
