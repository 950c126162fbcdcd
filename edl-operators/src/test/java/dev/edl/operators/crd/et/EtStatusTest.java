package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ConditionWriter;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statuses of the job in the operator's README (reference: F.3), and of its scaling requests. */
class EtStatusTest {
    private static final Instant NOW = ScaleTrial.START;

    private final ScaleTrial trial = new ScaleTrial(2);
    private final Map<String, ObservedReplica> pods = new LinkedHashMap<>();
    private JobState state = JobState.initial(trial.plan);
    private CustomObject job = CustomObject.of(Map.of(
            "apiVersion", TrainingJobs.API_VERSION, "kind", "TrainingJob", "metadata", Map.of("name", ScaleTrial.JOB)));

    private void decide() {
        Decision decision =
                Reconciler.standard().reconcile(trial.plan, state, new JobObservation(List.copyOf(pods.values())), NOW);
        state = decision.next();
        for (Action action : decision.actions()) {
            if (action instanceof Action.CreateReplica create) {
                pods.put(
                        action.subject(),
                        ObservedReplica.of(
                                action.subject(),
                                create.replica().role(),
                                create.replica().id(),
                                ObservedPhase.PENDING));
            } else {
                pods.remove(action.subject());
            }
        }
    }

    private void run() {
        pods.replaceAll((name, pod) -> ObservedReplica.of(name, pod.role(), pod.id(), ObservedPhase.RUNNING));
    }

    private Map<String, Object> write(Optional<Scaler> scaler) {
        Map<String, Object> status = TrainingJobStatuses.of(job, trial.plan, state, scaler, NOW);
        job = with(job, status);
        return status;
    }

    private static CustomObject with(CustomObject object, Map<String, Object> status) {
        Map<String, Object> fields = new HashMap<>(object.fields());
        fields.put("status", status);
        return CustomObject.of(fields);
    }

    private static List<String> conditions(Map<String, Object> status) {
        List<String> types = new ArrayList<>();
        for (Object entry : (List<?>) status.getOrDefault("conditions", List.of())) {
            Map<?, ?> condition = (Map<?, ?>) entry;
            types.add(condition.get("type") + ("True".equals(condition.get("status")) ? "" : "=False"));
        }
        return types;
    }

    private void toRunning() {
        decide();
        run();
        decide();
        run();
        decide();
        write(Optional.empty());
    }

    @Test
    void the_steps_of_a_job_are_conditions_in_the_operators_order() {
        assertThat(conditions(write(Optional.empty()))).containsExactly("Created");
        decide();
        Map<String, Object> created = write(Optional.empty());
        assertThat(conditions(created)).containsExactly("Created", "WorkersCreated");
        assertThat(created)
                .containsEntry("phase", "Created")
                .containsEntry("targetWorkers", List.of("elastic-training-worker-0", "elastic-training-worker-1"))
                .containsEntry("currentWorkers", List.of());

        run();
        decide();
        assertThat(conditions(write(Optional.empty())))
                .containsExactly("Created", "WorkersCreated", "WorkersReady", "LauncherCreated");

        run();
        decide();
        Map<String, Object> running = write(Optional.empty());
        assertThat(conditions(running))
                .containsExactly("Created", "WorkersCreated", "WorkersReady", "LauncherCreated", "Running");
        assertThat(running)
                .containsEntry("phase", "Running")
                .containsEntry("currentWorkers", List.of("elastic-training-worker-0", "elastic-training-worker-1"))
                .containsEntry(
                        "replicaStatuses", Map.of("Launcher", Map.of("active", 1L), "Worker", Map.of("active", 2L)))
                .containsEntry("currentScaler", "")
                .containsEntry("restartCount", 0L);
    }

    @Test
    void what_was_written_is_written_again_byte_by_byte() {
        toRunning();
        Map<String, Object> before = write(Optional.empty());

        assertThat(TrainingJobStatuses.of(job, trial.plan, state, Optional.empty(), NOW.plusSeconds(60)))
                .isEqualTo(before);
    }

    @Test
    void a_job_that_is_scaled_says_by_whom() {
        toRunning();
        Scaler less = new Scaler("less", NOW, ScaleRequest.in(ScaleTrial.JOB, 1));
        ScaleState scaling =
                new ScaleState(ScalePhase.SCALING, Optional.of(NOW), List.of("elastic-training-worker-1"), "");
        Map<String, Object> status = write(Optional.of(less.with(scaling)));
        assertThat(status).containsEntry("phase", "Scaling").containsEntry("currentScaler", "ScaleIn:default/less");
        assertThat(write(Optional.empty())).containsEntry("phase", "Scaling");

        Map<String, Object> after = write(
                Optional.of(less.with(new ScaleState(ScalePhase.SUCCEEDED, Optional.of(NOW), List.of(), "removed"))));
        assertThat(after).containsEntry("phase", "Running").containsEntry("currentScaler", "");
        assertThat(conditions(after)).endsWith("Running", "Scaling=False", "ScaleSucceeded");
    }

    @Test
    void the_launchers_end_is_the_jobs_and_it_runs_no_more() {
        toRunning();
        pods.computeIfPresent("elastic-training-launcher", (name, pod) -> pod.withExitCode(3));
        state = state.withFailed("elastic-training-launcher: exit code 3", NOW.plusSeconds(5));
        Map<String, Object> status = write(Optional.empty());

        assertThat(status).containsEntry("phase", "Failed").containsEntry("completionTime", "2026-01-01T00:00:05Z");
        assertThat(conditions(status))
                .containsExactly(
                        "Created", "WorkersCreated", "WorkersReady", "LauncherCreated", "Running=False", "Failed");
        assertThat(TrainingJobStatuses.ended(job)).isTrue();
        assertThat(TrainingJobStatuses.read(job)).hasToString("FAILED: elastic-training-launcher: exit code 3");
    }

    @Test
    void o_a_job_that_is_to_be_suspended_waits_and_begins_when_the_annotation_is_gone() {
        CustomObject plain = job;
        Map<String, Object> fields = new HashMap<>(job.fields());
        fields.put(
                "metadata",
                Map.of(
                        "name",
                        ScaleTrial.JOB,
                        "annotations",
                        Map.of("job-supervisor.kube-ai.io/job-suspended", "true")));
        job = CustomObject.of(fields);
        assertThat(TrainingJobStatuses.toBeSuspended(job)).isTrue();
        assertThat(TrainingJobStatuses.toBeSuspended(plain)).isFalse();
        Map<String, Object> waits = TrainingJobStatuses.suspended(job, NOW);
        assertThat(waits).containsEntry("phase", "Suspended");
        assertThat(conditions(waits)).containsExactly("Created", "Suspended");

        job = with(plain, waits);
        Map<String, Object> refused = TrainingJobStatuses.accepted(job, "the cluster refuses it", NOW);
        assertThat(TrainingJobStatuses.read(with(plain, refused))).hasToString("PENDING: the cluster refuses it");
        decide();
        Map<String, Object> begun = write(Optional.empty());
        assertThat(begun).containsEntry("phase", "Created");
        assertThat(conditions(begun)).containsExactly("Created", "Suspended=False", "WorkersCreated");
    }

    @Test
    void no_condition_is_taken_after_failed() {
        Map<String, Object> failed = TrainingJobStatuses.refused(job, "spec.etReplicaSpecs is missing", NOW);

        assertThat(ConditionWriter.with(failed, "Running", "TrainingJobRunning", "", NOW))
                .isEqualTo(failed.get("conditions"));
    }

    private static CustomObject scaleIn() {
        return CustomObject.fromYaml("""
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: ScaleIn
                metadata: {name: less, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec: {selector: {name: elastic-training}, toDelete: {count: 1}}
                """);
    }

    @Test
    void the_steps_of_a_request_are_conditions_in_the_operators_order_and_are_read_back() {
        Scaler less = new Scaler("less", NOW, ScaleRequest.in(ScaleTrial.JOB, 1));
        ScaleState scaling =
                new ScaleState(ScalePhase.SCALING, Optional.of(NOW), List.of("elastic-training-worker-1"), "");
        CustomObject object = with(scaleIn(), ScalerStatus.created(scaleIn(), "", NOW));
        assertThat(ScalerStatus.read(object)).isEqualTo(ScaleState.waiting());
        object = with(object, ScalerStatus.of(object, less.with(scaling), NOW));
        assertThat(ScalerStatus.read(object)).isEqualTo(scaling);
        object = with(object, ScalerStatus.executed(object, "elastic-training-worker-0:1", NOW));
        ScaleState undoing = scaling.to(ScalePhase.UNDOING, "execution timeout");
        assertThat(ScalerStatus.read(with(object, ScalerStatus.of(object, less.with(undoing), NOW))))
                .isEqualTo(undoing);

        ScaleState done = scaling.to(ScalePhase.SUCCEEDED, "removed elastic-training-worker-1");
        Map<String, Object> status = ScalerStatus.of(object, less.with(done), NOW);
        assertThat(conditions(status)).containsExactly("Created", "Scaling", "ScriptExecuted", "ScaleSucceeded");
        assertThat(status)
                .containsEntry("phase", "ScaleSucceeded")
                .containsEntry("toDeletePods", List.of("elastic-training-worker-1"))
                .containsEntry("restartCount", 0L);
        assertThat(ScalerStatus.read(with(object, status))).isEqualTo(done);
    }

    @Test
    void r_a_request_whose_job_is_not_there_says_so() {
        Map<String, Object> waits = ScalerStatus.waits(scaleIn(), "\"elastic-training\" is none", NOW);
        assertThat(conditions(waits)).containsExactly("Created=False");
        assertThat(ScalerStatus.taken(with(scaleIn(), waits))).isFalse();

        Map<String, Object> refused = ScalerStatus.refused(scaleIn(), "\"elastic-training\" is none", NOW);
        assertThat(refused).containsEntry("phase", "ScaleFailed");
        assertThat(ScalerStatus.read(with(scaleIn(), refused)))
                .isEqualTo(
                        new ScaleState(ScalePhase.FAILED, Optional.empty(), List.of(), "\"elastic-training\" is none"));
    }
}
