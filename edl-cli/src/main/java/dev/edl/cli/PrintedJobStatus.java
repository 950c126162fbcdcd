package dev.edl.cli;

import dev.edl.exec.JobStatus;
import dev.edl.exec.ReplicaStatus;
import dev.edl.k8s.queue.JobQueue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * Status of a job as a command prints it.
 *
 * @param namespace namespace of the job
 * @param status its status
 * @param driver the program that drives it; empty if that was not read
 * @param queue the queue of Kueue that admits its pods; empty if it has none, or that was not read
 */
record PrintedJobStatus(String namespace, JobStatus status, String driver, Optional<JobQueue> queue) {
    private static final String KIND = "job/";

    /** Reads the name of a job, which may have its kind: {@code job/mnist}. */
    static final class Name implements ITypeConverter<String> {
        @Override
        public String convert(String word) {
            return word.startsWith(KIND) ? word.substring(KIND.length()) : word;
        }
    }

    /** Returns kind and name, as kubectl prints an object's: {@code job/mnist}. */
    String name() {
        return KIND + status.job();
    }

    /** Returns the report without ages, which change all the time. */
    PrintedJobStatus withoutTimes() {
        List<ReplicaStatus> replicas = status.replicas().stream()
                .map(r -> new ReplicaStatus(
                        r.name(), r.role(), r.id(), r.ready(), r.status(), r.restarts(), Duration.ZERO))
                .toList();
        return new PrintedJobStatus(
                namespace,
                new JobStatus(
                        status.job(),
                        status.phase(),
                        status.message(),
                        status.startedAt(),
                        status.endedAt(),
                        status.roles(),
                        replicas,
                        status.requestFailures(),
                        Duration.ZERO),
                // The time of the record's last write changes without a change of the job.
                driver.replaceFirst(", which wrote .*", ""),
                queue);
    }

    /** Returns the report as the tree of a YAML or JSON document. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", status.job());
        object.put("namespace", namespace);
        object.put("phase", status.phase().name());
        object.put("message", status.message());
        status.startedAt().ifPresent(at -> object.put("startedAt", at.toString()));
        status.endedAt().ifPresent(at -> object.put("endedAt", at.toString()));
        if (!driver.isEmpty()) {
            object.put("driver", driver);
        }
        queue.ifPresent(one -> object.put("queue", object(one)));
        object.put(
                "roles",
                status.roles().stream()
                        .map(role -> {
                            Map<String, Object> row = new LinkedHashMap<>();
                            row.put("role", role.role().id());
                            row.put("desired", role.desired());
                            row.put("pending", role.pending());
                            row.put("running", role.running());
                            row.put("succeeded", role.succeeded());
                            row.put("failed", role.failed());
                            return row;
                        })
                        .toList());
        object.put(
                "replicas",
                status.replicas().stream()
                        .map(replica -> {
                            Map<String, Object> row = new LinkedHashMap<>();
                            row.put("name", replica.name());
                            row.put("role", replica.role().id());
                            row.put("id", replica.id());
                            row.put("ready", replica.ready());
                            row.put("status", replica.status());
                            row.put("restarts", replica.restarts());
                            return row;
                        })
                        .toList());
        return object;
    }

    private static Map<String, Object> object(JobQueue queue) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", queue.name());
        queue.clusterQueue().ifPresent(cluster -> object.put("clusterQueue", cluster));
        object.put("problems", queue.problems());
        object.put(
                "admissions",
                queue.admissions().stream()
                        .map(admission -> {
                            Map<String, Object> row = new LinkedHashMap<>();
                            row.put("replicas", admission.replicas());
                            row.put("admitted", admission.admitted());
                            if (admission.admitted()) {
                                row.put("flavors", admission.flavors());
                            } else {
                                row.put("place", admission.place().orElseThrow());
                                row.put("waiting", admission.waiting());
                                row.put("missing", admission.missing());
                            }
                            return row;
                        })
                        .toList());
        return object;
    }

    /** Returns the status, the queue and a line with the driver. */
    @Override
    public String toString() {
        return status
                + queue.map(JobQueue::toString).orElse("")
                + (driver.isEmpty() ? "" : "driven by " + driver + "\n");
    }
}
