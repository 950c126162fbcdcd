package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.Accelerator;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingJobsTest {
    private static JobBuilder example() {
        return Job.named("elastic-training")
                .horovod()
                .launcher(launcher -> launcher.image("hvd:1")
                        .command(
                                "sh",
                                "-c",
                                "horovodrun -np 2 --min-np 1 --max-np 9 --host-discovery-script"
                                        + " /etc/edl/discover_hosts.sh python t.py")
                        .restart(RestartPolicy.NEVER))
                .workers(2, worker -> worker.elastic(1, 9).image("hvd:1").gpu(1).restart(RestartPolicy.NEVER));
    }

    @Test
    void an_elastic_job_is_written_to_the_byte_and_read_again() {
        Job job = example().build();

        ResourceWriteResult result = TrainingJobs.write(job);

        assertThat(result.toYaml()).isEqualTo(Golden.file("training_job.yaml"));
        assertThat(result.losses()).isEmpty();
        assertThat(TrainingJobs.read(result.toYaml())).isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void the_operators_example_uses_default_restarts_and_any_container_name() {
        String yaml = Golden.file("training_job.yaml")
                .replace("      restartPolicy: Never\n", "")
                .replace("- name: launcher\n", "- name: mnist-elastic\n")
                .replace("- name: worker\n", "- name: mnist-elastic\n              imagePullPolicy: Always\n");

        JobReadResult result = TrainingJobs.read(yaml);

        assertThat(result.job()).isEqualTo(example().build());
        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "spec.etReplicaSpecs.launcher.template.spec.containers[0].name = mnist-elastic: the container"
                                + " that trains is named launcher",
                        "spec.etReplicaSpecs.worker.template.spec.containers[0].name = mnist-elastic: the container that"
                                + " trains is named worker");
        assertThat(TrainingJobs.write(result.job(), result.options()).toYaml())
                .isEqualTo(Golden.file("training_job.yaml") + "              imagePullPolicy: Always\n");
    }

    @Test
    void losses_of_a_TrainingJob_are_reported() {
        ResourceWriteResult result = TrainingJobs.write(example().build().toBuilder()
                .runId("r1")
                .ttl(Duration.ofHours(1))
                .success(SuccessPolicy.ALL_WORKERS)
                .launcher()
                .restart(RestartPolicy.ON_FAILURE)
                .workers()
                .relaunchLimit(3)
                .port(22)
                .build());

        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "runId = r1: the operator has no run ids",
                        "launcher.restart = on-failure: the operator recreates a launcher whose pod is gone; a failed"
                                + " one ends the job",
                        "worker.relaunchLimit = 3: workers are relaunched without a limit",
                        "worker.port = 22: the roles of a TrainingJob have no port",
                        "success = all-workers: the launcher's end is the job's",
                        "ttl = PT1H: a TrainingJob has no time limits");
    }

    @Test
    void losses_of_a_job_are_reported() {
        String yaml = Golden.file("training_job.yaml")
                .replace("  cleanPodPolicy: Running\n", """
                          slotsPerWorker: 4
                          launcherAttachMode: kubexec
                          restartPolicy: OnFailure
                          backoffLimit: 3
                        """)
                .replace("      maxReplicas: 9\n      restartPolicy: Never\n", "      restartPolicy: ExitCode\n");

        JobReadResult result = TrainingJobs.read(yaml);
        assertThat(TrainingJobs.write(result.job(), result.options()).toYaml())
                .contains("  launcherAttachMode: kubexec\n");
        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "spec.etReplicaSpecs.worker.restartPolicy = ExitCode: 129 to 254 restart a worker there; a job has"
                                + " a limit of relaunches",
                        "spec.slotsPerWorker = 4: a job has no setting for the processes of a replica",
                        "spec.restartPolicy = OnFailure: a job relaunches single replicas, not itself",
                        "spec.backoffLimit = 3: a job relaunches single replicas, not itself");
    }

    // et-operator 96806fb, resource.go getSlots: nvidia.com/gpu of the first container, else 1
    @Test
    void slots_are_written_where_the_operator_would_count_otherwise() {
        Job nvidia = horovod("nvidia.com/gpu", 4);
        Job amd = horovod("amd.com/gpu", 4);
        Job slices = horovod("nvidia.com/mig-1g.5gb", 2);

        assertThat(TrainingJobs.write(nvidia).toYaml()).doesNotContain("slotsPerWorker");
        assertThat(TrainingJobs.write(amd).toYaml()).contains("\n  slotsPerWorker: 4\n");
        assertThat(TrainingJobs.write(slices).toYaml()).contains("\n  slotsPerWorker: 2\n");
        for (Job job : List.of(nvidia, amd, slices)) {
            assertThat(TrainingJobs.read(TrainingJobs.write(job).toYaml()).losses())
                    .isEmpty();
        }
        assertThat(TrainingJobs.read(TrainingJobs.write(amd).toYaml().replace("  slotsPerWorker: 4\n", ""))
                        .losses())
                .extracting(ConversionLoss::toString)
                .containsExactly("spec.slotsPerWorker = 1: a job has no setting for the processes of a replica");
    }

    @Test
    void devices_set_only_by_options_are_slots_and_reported() {
        PodOptions options = PodOptions.builder()
                .role("worker", worker -> worker.accelerator(Accelerator.amd(8)))
                .build();
        ResourceWriteResult result = TrainingJobs.write(horovod("nvidia.com/gpu", 0), options);

        assertThat(result.toYaml()).contains("\n  slotsPerWorker: 8\n");
        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "options.worker.accelerator = 8: a plan cannot see it, and has 1 of the 8 processes of a"
                                + " worker");
    }

    private static Job horovod(String device, int count) {
        return Job.named("x")
                .horovod()
                .image("hvd:1")
                .restart(RestartPolicy.NEVER)
                .launcher()
                .workers(2)
                .gpu(device, count)
                .build();
    }

    @Test
    void b_what_would_end_the_operator_is_refused() {
        String yaml = Golden.file("training_job.yaml")
                .replace("      replicas: 2\n", "")
                .replace("    launcher:", "    lancher:");

        assertThatThrownBy(() -> TrainingJobs.read(yaml))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "TrainingJob \"elastic-training\": spec.etReplicaSpecs.lancher: unknown key; did"
                                                + " you mean \"launcher\"?",
                                        "TrainingJob \"elastic-training\": spec.etReplicaSpecs must have launcher, which"
                                                + " is missing",
                                        "TrainingJob \"elastic-training\": spec.etReplicaSpecs.worker.replicas is missing,"
                                                + " without which the operator ends; for example replicas: 2"));
    }
}
