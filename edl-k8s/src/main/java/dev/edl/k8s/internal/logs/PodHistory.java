package dev.edl.k8s.internal.logs;

import dev.edl.exec.LogLine;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Pods of a slot, oldest first, and their logs so far. */
public final class PodHistory {
    private final String job;
    private final ReplicaSlot slot;
    private final Supplier<List<Pod>> pods;
    private final LogSource logs;

    /** @param pods returns the known pods of the job's replicas */
    public PodHistory(String job, ReplicaSlot slot, Supplier<List<Pod>> pods, LogSource logs) {
        this.job = job;
        this.slot = slot;
        this.pods = pods;
        this.logs = logs;
    }

    /** Returns the slot's pods that have started, oldest first. */
    public List<Pod> pods(JobState state) {
        return pods.get().stream()
                .filter(PodMapper::hasBegun)
                .filter(pod -> slot.of(state, pod.getMetadata().getName()).isPresent())
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(PodMapper::id))
                .toList();
    }

    public List<LogLine> last(JobState state, int lines) {
        if (lines < 1) {
            throw new IllegalArgumentException("lines of a log must be at least 1, for example 1000; was " + lines);
        }
        List<LogLine> all = new ArrayList<>();
        pods(state).forEach(pod -> read(pod, lines, all));
        return all;
    }

    private void read(Pod pod, int lines, List<LogLine> into) {
        String replica = slot.role().replica(PodMapper.id(pod));
        try (InputStream from = logs.last(pod, lines)) {
            LogLineReader lineReader = new LogLineReader(from);
            for (Optional<LogLineReader.LineFragment> next = lineReader.next();
                    next.isPresent();
                    next = lineReader.next()) {
                into.add(new LogLine(job, replica, next.get().text()));
            }
        } catch (LogSource.RefusedException e) {
            // The pod was deleted meanwhile, and its log with it.
            if (e.code != HttpURLConnection.HTTP_NOT_FOUND) {
                throw new UncheckedIOException(e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
