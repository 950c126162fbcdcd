package dev.edl.exec;

import dev.edl.exec.internal.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Table in the format of {@code kubectl get}: three spaces between columns, always with a header. */
final class KubectlTable {
    private KubectlTable() {}

    static String of(List<ReplicaStatus> replicas) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "READY", "STATUS", "RESTARTS", "AGE"));
        for (ReplicaStatus r : replicas) {
            rows.add(List.of(
                    r.name(), r.ready(), r.status(), Integer.toString(r.restarts()), HumanDuration.of(r.age())));
        }
        return text(rows);
    }

    /** Returns a row for each job, with its running and desired replicas, and its age at a time. */
    static String ofJobs(List<JobStatus> jobs, Instant now) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "PHASE", "RUNNING", "AGE"));
        for (JobStatus job : jobs) {
            rows.add(List.of(
                    job.job(),
                    job.phase().toString(),
                    job.roles().stream().mapToInt(RoleStatus::running).sum() + "/"
                            + job.roles().stream().mapToInt(RoleStatus::desired).sum(),
                    job.startedAt()
                            .map(start -> HumanDuration.of(Duration.between(start, now)))
                            .orElse("<unknown>")));
        }
        return text(rows);
    }

    private static String text(List<List<String>> rows) {
        int last = rows.get(0).size() - 1;
        int[] widths = new int[last];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < last; i++) {
                out.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 3));
            }
            out.append(row.get(last)).append('\n');
        }
        return out.toString();
    }
}
