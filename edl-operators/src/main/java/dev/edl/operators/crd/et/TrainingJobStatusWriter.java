package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ConditionWriter;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Writes the status of a TrainingJob as an update of the previous status. Each condition is added once, in
 * et-operator's order.
 */
final class TrainingJobStatusWriter {
    private static final String SUSPENDED = "Suspended";

    private final JobPlan plan;
    private final JobState state;
    private final Instant now;
    private final Map<String, Object> status;

    TrainingJobStatusWriter(CustomObject resource, JobPlan plan, JobState state, Instant now) {
        this.plan = plan;
        this.state = state;
        this.now = now;
        this.status = accepted(resource, "", now);
        suspension(resource);
    }

    private static Map<String, Object> before(CustomObject resource) {
        Map<String, Object> status = new LinkedHashMap<>();
        ConditionWriter.status(resource).forEach((key, value) -> {
            if (value != null) {
                status.put((String) key, value);
            }
        });
        status.putIfAbsent("conditions", List.of());
        status.putIfAbsent("replicaStatuses", Map.of());
        status.putIfAbsent("restartCount", 0L);
        return status;
    }

    static Map<String, Object> accepted(CustomObject resource, String message, Instant now) {
        Map<String, Object> status = before(resource);
        status.putIfAbsent("phase", "Created");
        if (SUSPENDED.equals(status.get("phase")) && !TrainingJobStatuses.toBeSuspended(resource)) {
            status.put("phase", "Created");
            status.put(
                    "conditions",
                    ConditionWriter.with(status, SUSPENDED, false, "Resumed", "the annotation is unset", now));
        }
        status.putIfAbsent("startTime", ConditionWriter.time(now));
        if (!message.isEmpty() || !ConditionWriter.holds(status, "Created")) {
            String words = message.isEmpty() ? "TrainingJob " + resource.name() + " is created." : message;
            status.put("conditions", ConditionWriter.with(status, "Created", "TrainingJobCreated", words, now));
        }
        return status;
    }

    static Map<String, Object> suspended(CustomObject resource, Instant now) {
        Map<String, Object> status = accepted(resource, "", now);
        status.put("phase", SUSPENDED);
        status.put(
                "conditions",
                ConditionWriter.with(status, SUSPENDED, SUSPENDED, "it starts once the annotation is removed", now));
        return status;
    }

    static Map<String, Object> troubled(Map<String, Object> status, String why, Instant now) {
        boolean ended = status.containsKey("completionTime");
        if (ended || (why.isEmpty() && !ConditionWriter.holds(status, "ReplicaFailure"))) {
            return status;
        }
        Map<String, Object> told = new LinkedHashMap<>(status);
        told.put(
                "conditions",
                why.isEmpty()
                        ? ConditionWriter.with(
                                status, "ReplicaFailure", false, "RequestsTaken", "nothing is refused", now)
                        : ConditionWriter.with(status, "ReplicaFailure", "RequestsRefused", why, now));
        return told;
    }

    static Map<String, Object> refused(CustomObject resource, String why, Instant now) {
        Map<String, Object> status = before(resource);
        status.put("phase", "Failed");
        status.put("conditions", ConditionWriter.with(status, "Failed", "TrainingJobFailed", why, now));
        return status;
    }

    Map<String, Object> write(Optional<Scaler> scaler) {
        status.put("replicaStatuses", Map.of("Launcher", counts(RoleType.LAUNCHER), "Worker", counts(RoleType.WORKER)));
        if (!state.phase().ended()) {
            status.put("targetWorkers", workers(replica -> replica.stage().occupiesSlot()));
            status.put("currentWorkers", workers(replica -> replica.stage() == ReplicaStage.RUNNING));
        }
        steps();
        status.putIfAbsent("currentScaler", "");
        scaler.ifPresent(this::scaling);
        end();
        return status;
    }

    /**
     * Sets the condition Suspended to false if the resource of a started job has the annotation that suspends a job,
     * because the annotation has no effect on a started job.
     */
    private void suspension(CustomObject resource) {
        if (TrainingJobStatuses.toBeSuspended(resource)) {
            put(SUSPENDED, false, "JobRuns", "a started job cannot be suspended; delete it, and create it again");
        }
    }

    private void steps() {
        List<ReplicaState> workers =
                replicas(RoleType.WORKER, replica -> replica.stage().occupiesSlot());
        boolean created = !workers.isEmpty() && workers.stream().noneMatch(r -> r.stage() == ReplicaStage.WAITING);
        if (created) {
            first("WorkersCreated", "WorkersCreated", workers.size() + " workers are created");
        }
        boolean running = created && workers.stream().allMatch(r -> r.stage() == ReplicaStage.RUNNING);
        if (running) {
            first("WorkersReady", "WorkersReady", workers.size() + " workers are running");
        }
        if (!replicas(RoleType.LAUNCHER, r -> r.stage() != ReplicaStage.WAITING && r.stage() != ReplicaStage.REPLACED)
                .isEmpty()) {
            first("LauncherCreated", "LauncherCreated", plan.replicaName(RoleType.LAUNCHER, 0) + " is created");
        }
        if (state.phase() == JobPhase.RUNNING) {
            first("Running", "TrainingJobRunning", "TrainingJob " + plan.name() + " is running.");
            status.put("phase", "".equals(status.getOrDefault("currentScaler", "")) ? "Running" : "Scaling");
        }
    }

    /** Adds a condition unless the status has one of this type: a condition stays even if a worker is lost later. */
    private void first(String type, String reason, String message) {
        if (!ConditionWriter.holds(status, type)) {
            put(type, true, reason, message);
        }
    }

    private void put(String type, boolean holds, String reason, String message) {
        status.put("conditions", ConditionWriter.with(status, type, holds, reason, message, now));
    }

    private void scaling(Scaler scaler) {
        ScalePhase phase = scaler.state().phase();
        if (phase == ScalePhase.WAITING) {
            return;
        }
        // Each request has its own condition, which replaces that of the previous request.
        String way = scaler.isScaleIn() ? "ScalingIn" : "ScalingOut";
        put("Scaling", !phase.ended(), "ScalingStart", scaler.id() + " of " + names(scaler));
        status.put("currentScaler", phase.ended() ? "" : scaler.id());
        if (phase.ended()) {
            boolean done = phase == ScalePhase.SUCCEEDED;
            if (state.phase() == JobPhase.RUNNING) {
                status.put("phase", "Running");
            }
            put(
                    phase.word(),
                    true,
                    way + (done ? "Succeeded" : "Failed"),
                    scaler.id() + ": " + scaler.state().message());
        } else if (state.phase() == JobPhase.RUNNING) {
            status.put("phase", "Scaling");
        }
    }

    private static String names(Scaler scaler) {
        List<String> pods = scaler.state().pods();
        return pods.isEmpty() ? "no worker" : String.join(", ", pods);
    }

    private void end() {
        if (!state.phase().ended()) {
            return;
        }
        boolean done = state.phase() == JobPhase.SUCCEEDED;
        String end = done ? "Succeeded" : "Failed";
        if (ConditionWriter.holds(status, "Running")) {
            put("Running", false, "TrainingJobRunning", "TrainingJob " + plan.name() + " has ended.");
        }
        put(end, true, "TrainingJob" + end, state.message());
        status.put("phase", end);
        status.put("currentScaler", "");
        status.putIfAbsent(
                "completionTime", ConditionWriter.time(state.endedAt().orElse(now)));
    }

    private List<ReplicaState> replicas(RoleType role, Predicate<ReplicaState> which) {
        return state.replicas().values().stream()
                .filter(replica -> replica.role() == role && which.test(replica))
                .sorted(Comparator.comparing(ReplicaState::id))
                .toList();
    }

    private List<String> workers(Predicate<ReplicaState> which) {
        return replicas(RoleType.WORKER, which).stream().map(ReplicaState::name).toList();
    }

    private Map<String, Object> counts(RoleType role) {
        Map<String, Object> counts = new LinkedHashMap<>();
        count(counts, "active", role, ReplicaStage.RUNNING);
        count(counts, "succeeded", role, ReplicaStage.SUCCEEDED);
        count(counts, "failed", role, ReplicaStage.FAILED);
        return counts;
    }

    private void count(Map<String, Object> counts, String key, RoleType role, ReplicaStage stage) {
        long count = replicas(role, replica -> replica.stage() == stage).size();
        if (count > 0) {
            counts.put(key, count);
        }
    }
}
