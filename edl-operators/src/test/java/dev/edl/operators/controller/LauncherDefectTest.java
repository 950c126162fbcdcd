package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** et-operator's defect l: a launcher whose pod no longer exists. */
class LauncherDefectTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static CustomObject job(String restart) {
        return CustomObject.fromYaml("""
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: TrainingJob
                metadata: {name: mnist, namespace: test, uid: u-1}
                spec:
                  etReplicaSpecs:
                    launcher:
                      replicas: 1
                      %s
                      template: {spec: {containers: [{name: launcher, image: "horovod:1"}]}}
                    worker:
                      replicas: 1
                      template: {spec: {containers: [{name: worker, image: "horovod:1"}]}}
                """.formatted(restart));
    }

    private static ObservedReplica running(JobPlan plan, RoleType role) {
        return ObservedReplica.of(plan.replicaName(role, 0), role, 0, ObservedPhase.RUNNING);
    }

    // E.D l: only Always and Never were supported; with any other value, or none, the job hung
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                        | FAILED  | []",
                "restartPolicy: Never      | FAILED  | []",
                "restartPolicy: OnFailure  | FAILED  | []",
                "restartPolicy: Always     | RUNNING | [create mnist-launcher]",
            })
    void l_a_job_whose_launcher_is_gone_fails_or_has_another_one(String restart, String phase, String actions) {
        JobPlan plan = ConvertedTrainingJob.of(job(restart), "alpine:3.10").plan();
        JobState state = JobState.initial(plan);
        ObservedReplica worker = running(plan, RoleType.WORKER);
        List<ObservedReplica> all = List.of(running(plan, RoleType.LAUNCHER), worker);
        for (List<ObservedReplica> seen : List.of(List.<ObservedReplica>of(), List.of(worker), all, all)) {
            state = Reconciler.standard()
                    .reconcile(plan, state, new JobObservation(seen), NOW)
                    .next();
        }

        Decision gone =
                Reconciler.standard().reconcile(plan, state, new JobObservation(List.of(worker)), NOW.plusSeconds(1));

        assertThat(gone.next().phase()).hasToString(phase);
        assertThat(gone.actions().stream()
                        .filter(action -> action.subject().endsWith("launcher"))
                        .toList())
                .hasToString(actions);
    }
}
