package dev.edl.k8s.internal.logs;

import dev.edl.exec.LogLine;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.internal.pods.PodSubstrate;
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

/** Pods of a slot, oldest first, and their logs so far. */
public final class PodHistory {
    private final String job;
    private final ReplicaSlot slot;
    private final PodSubstrate substrate;
    private final LogSource logs;

    public PodHistory(String job, ReplicaSlot slot, PodSubstrate substrate, LogSource logs) {
        this.job = job;
        this.slot = slot;
        this.substrate = substrate;
        this.logs = logs;
    }

    /** Returns the slot's pods that have started, oldest first. */
    public List<Pod> pods(JobState state) {
        return substrate.pods().stream()
                .filter(PodMapper::hasBegun)
                .filter(pod -> slot.of(state, pod.getMetadata().getName()).isPresent())
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(PodMapper::id))
                .toList();
    }

    public List<LogLine> last(JobState state, int lines) {
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
