package dev.edl.k8s;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.LogLine;
import dev.edl.exec.Subscription;
import dev.edl.k8s.internal.logs.ChangeSignal;
import dev.edl.k8s.internal.logs.LogSource;
import dev.edl.k8s.internal.logs.PodHistory;
import dev.edl.k8s.internal.logs.PodLog;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a replica, and of those that take over for it, while they are written; see {@link KubernetesRun#logs(String,
 * Consumer)}. Thread-safe.
 */
public final class LogFollower implements Subscription {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** What a pod that is gone has written is on its way for no longer than this. */
    private static final Duration REST = Duration.ofSeconds(10);

    private final ControlLoop loop;
    private final PodSubstrate substrate;
    private final LogSource logs;
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
    private volatile boolean lost;
    private volatile boolean closed;

    LogFollower(ControlLoop loop, PodSubstrate substrate, LogSource logs, ReplicaSlot slot, Consumer<LogLine> reader) {
        this.loop = loop;
        this.substrate = substrate;
        this.logs = logs;
        this.slot = slot;
        this.history = new PodHistory(loop.plan().name(), slot, substrate, logs);
        this.reader = reader;
        this.thread = new Thread(
                this::run, "edl-" + loop.plan().name() + "-" + slot.role().id() + "-" + slot.index() + "-log");
        this.thread.setDaemon(true);
    }

    void start() {
        // Before anything can end that this is to read.
        reading = substrate.unread().add(this::unread);
        thread.start();
    }

    private void run() {
        Subscription pods = substrate.onChange(loop.plan().name(), this::look);
        Subscription events = loop.onEvent(this::heard);
        try {
            // The job may have been lost before this listener was added.
            loop.events().forEach(this::heard);
            while (!closed) {
                // First: what ended the job is among the pods by then.
                boolean over = jobIsOver();
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
            pods.close();
            events.close();
            ended.countDown();
        }
    }

    private void failed(RuntimeException why) {
        if (!closed) {
            failure = why;
        }
    }

    private void heard(JobEvent event) {
        if (event.type() == JobEvent.Type.JOB_LOST) {
            lost = true;
        }
        signal.give();
    }

    /** A pod changed. One that is gone writes no more, though its connection may hang, as when its node is lost. */
    private void look() {
        signal.give();
        PodLog reading = current;
        if (reading != null && substrate.now(reading.pod()).isEmpty()) {
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
            look();
        }
    }

    /** The first pod of the place that has begun and was not read yet. */
    private Optional<Pod> next() {
        return history.pods(loop.state()).stream()
                .filter(pod -> !done.contains(pod.getMetadata().getUid()))
                .findFirst();
    }

    /** Whether a pod's log is followed here, and was not read to its end. */
    private boolean unread(Pod pod) {
        return !closed
                && !done.contains(pod.getMetadata().getUid())
                && slot.of(loop.state(), pod.getMetadata().getName()).isPresent();
    }

    private boolean jobIsOver() {
        return lost || loop.finished() || loop.state().phase().ended();
    }

    private void read(Pod pod) throws IOException, InterruptedException {
        String name = slot.role().replica(PodMapper.id(pod));
        if (latest != null) {
            tell(new LogLine(
                    loop.plan().name(),
                    name,
                    name.equals(latest) ? "was started again" : "goes on for " + latest,
                    true));
        }
        latest = name;
        PodLog log = new PodLog(
                logs,
                pod,
                fragment -> tell(new LogLine(loop.plan().name(), name, fragment.text(), fragment.foreign())));
        current = log;
        // It may have gone before it was the current one.
        look();
        try {
            Duration pause = Duration.ofMillis(100);
            while (!closed) {
                boolean last =
                        substrate.now(pod).filter(p -> !PodMapper.hasEnded(p)).isEmpty();
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
     * Waits until the last line was handed over: the job has ended, and so has the log.
     *
     * @param limit how long at most
     * @return whether it came to that, or this was closed; false when the time is over
     * @throws IllegalStateException when the log could not be read on, as without the permission to get {@code pods/log}; what
     *     a reader threw comes as it is
     */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        boolean came = ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        RuntimeException why = failure;
        if (came && why != null) {
            throw why;
        }
        return came;
    }

    /** Whether nothing comes any more, and the thread has ended. */
    boolean over() {
        return ended.getCount() == 0 && !thread.isAlive();
    }

    /** Reads no further, and waits for the reader to return; a second call does nothing. */
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

    /** The job and the place: {@code mnist worker 0}. */
    @Override
    public String toString() {
        return loop.plan().name() + " " + slot.role().id() + " " + slot.index();
    }
}
