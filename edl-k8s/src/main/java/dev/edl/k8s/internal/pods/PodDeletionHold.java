package dev.edl.k8s.internal.pods;

import dev.edl.exec.Subscription;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Delays the deletion of ended pods until the readers of their logs have read everything, because a log is deleted
 * with its pod. The delay is at most 1m, in case a reader does not return. Thread-safe.
 */
public final class PodDeletionHold {
    static final Duration LIMIT = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final List<Predicate<Pod>> readers = new CopyOnWriteArrayList<>();
    /** Time by {@link System#nanoTime} at which each pod's deletion was first delayed, by the pod's uid. */
    private final Map<String, Long> since = new ConcurrentHashMap<>();

    PodDeletionHold(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Adds a reader, until it is closed.
     *
     * @param unread returns whether the reader follows the log of a pod and has not read all of it
     */
    public Subscription add(Predicate<Pod> unread) {
        readers.add(unread);
        return () -> readers.remove(unread);
    }

    /**
     * Returns whether the deletion of a pod must wait for its log to be read. The first call that returns true starts
     * the wait of at most 1m.
     */
    boolean hold(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!PodMapper.lingers(pod) || readers.stream().noneMatch(unread -> unread.test(pod))) {
            since.remove(uid);
            return false;
        }
        long now = nanoTime.getAsLong();
        return now - since.computeIfAbsent(uid, first -> now) < LIMIT.toNanos();
    }
}
