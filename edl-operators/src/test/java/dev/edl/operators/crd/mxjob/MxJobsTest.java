package dev.edl.operators.crd.mxjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Volume;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MxJobsTest {
    private static JobBuilder example() {
        return Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .cleanup(CleanupPolicy.NONE)
                .scheduler(scheduler -> scheduler
                        .image("mxnet:1")
                        .command("python")
                        .args("train_cifar10.py")
                        .port(9000))
                .servers(2, server -> server.image("mxnet:1").command("python").args("train_cifar10.py"))
                .workers(
                        3,
                        worker -> worker.image("mxnet:1")
                                .command("python")
                                .args("train_cifar10.py", "--kv-store=dist_device_sync")
                                .gpu(1));
    }

    private static final String POD =
            "template: {spec: {restartPolicy: OnFailure, containers: [{name: mxnet, image: \"a:1\"}]}}";

    private static String yaml(String mode, String replicas) {
        return "apiVersion: mlkube.io/v1beta1\nkind: MxJob\nmetadata: {name: x}\nspec:\n  jobMode: " + mode
                + "\n  replicaSpecs: " + replicas.replace("POD", POD) + "\n";
    }

    @ParameterizedTest
    @EnumSource
    void a_distributed_job_is_written_to_the_byte_and_read_again(MxJobGroup group) {
        Job job = example().build();

        ResourceWriteResult result = MxJobs.write(job, group);

        assertThat(result.toYaml())
                .isEqualTo(Golden.file("mx_job_dist.yaml").replace("mxnet.mlkube.io/v1beta1", group.apiVersion()));
        assertThat(result.losses()).isEmpty();
        assertThat(MxJobs.read(result.toYaml())).isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void a_single_worker_is_a_local_job_with_its_environment() {
        Job job = Job.named("example-local-job")
                .mxnet()
                .cleanup(CleanupPolicy.NONE)
                .workers(1, worker -> worker.image("mxnet:1").env("DMLC_ROLE", "worker"))
                .build();

        ResourceWriteResult result = MxJobs.write(job);

        assertThat(result.toYaml()).contains("  jobMode: local\n");
        assertThat(result.losses()).isEmpty();
        assertThat(MxJobs.read(result.toYaml())).isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void a_volume_is_a_volume_of_the_pods_and_read_again() {
        Job job = Job.named("example-local-job")
                .mxnet()
                .cleanup(CleanupPolicy.NONE)
                .workers(1, worker -> worker.image("mxnet:1").volume(Volume.claim("data", "/data")))
                .build();

        String yaml = MxJobs.write(job).toYaml();

        assertThat(yaml).contains("claimName: data\n").contains("mountPath: /data\n");
        assertThat(MxJobs.read(yaml)).isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void the_defaults_of_a_replica_are_a_worker_once_on_9091() {
        JobReadResult result = MxJobs.read(yaml("local", "[{PsRootPort: 9091, POD}]"));

        assertThat(result)
                .isEqualTo(new JobReadResult(
                        Job.named("x")
                                .mxnet()
                                .cleanup(CleanupPolicy.NONE)
                                .workers(1, worker -> worker.image("a:1"))
                                .build(),
                        PodOptions.none(),
                        List.of()));
    }

    // C-02
    @Test
    void a_distributed_job_without_servers_is_not_written() {
        Job job = Job.named("two").mxnet().image("a:1").scheduler().workers(2).build();

        assertThatThrownBy(() -> MxJobs.write(job))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("MxJob \"two\": dist job mode without replica type SERVER");
    }

    // C-01, C-02: the first and the third
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "local|[{POD}, {mxReplicaType: SERVER, POD}]|job mode is local, but its replicas set have replicas type"
                        + " other than worker",
                "local|[{replicas: 2, POD}]|job mode is local, but it has more than 1 worker",
                "dist|[{mxReplicaType: SCHEDULER, POD}, {POD}]|dist job mode without replica type SERVER",
                "dist|[{mxReplicaType: SCHEDULER, POD}, {mxReplicaType: SERVER, POD}]|dist job mode without replica type"
                        + " WORKER",
                "fast|[{POD}]|unkonw job mode fast",
                "local|[{mxReplicaType: PS, POD}, {POD}]|spec.replicaSpecs[0]: MxReplicaSpec.MxReplicaType is PS but must"
                        + " be one of [SCHEDULER SERVER WORKER]",
                "local|[{replicas: 1}]|spec.replicaSpecs[0]: Replica is missing Template; {\"replicas\":1}",
                "local|[{template: {spec: {containers: [{name: x}]}}}]|spec.replicaSpecs[0]: Replica type WORKER is"
                        + " missing a container for mxnet",
                "dist|[{mxReplicaType: SCHEDULER, replicas: 2, POD}, {mxReplicaType: SERVER, POD}, {POD}]"
                        + "|spec.replicaSpecs[0]: The SCHEDULER must have Replicas = 1",
            })
    void what_the_operator_refuses_is_refused_in_its_words(String mode, String replicas, String message) {
        assertThatThrownBy(() -> MxJobs.read(yaml(mode, replicas)))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("MxJob \"x\": " + message);
    }

    // As every plan of it does: the one that comes later would train a model of its own.
    @Test
    void a_single_elastic_worker_is_not_a_local_job() {
        Job job = Job.named("x").mxnet().image("a:1").workers(1).elastic(1, 4).build();

        assertThatThrownBy(() -> MxJobs.write(job))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "MxJob \"x\": dist job mode without replica type SCHEDULER",
                                        "MxJob \"x\": dist job mode without replica type SERVER"));
        assertThatThrownBy(() -> job.plan(Profile.MXJOB_V1BETA1)).isInstanceOf(PlanException.class);
    }

    @Test
    void variables_that_this_operator_overwrites_are_reported() {
        ResourceWriteResult result = MxJobs.write(example().build().toBuilder()
                .workers()
                .env("PS_VERBOSE", "2")
                .env("DMLC_ROLE", "worker")
                .build());

        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "worker.env.DMLC_ROLE = worker: the operator sets it",
                        "worker.env = PS_VERBOSE,DMLC_ROLE: the operator puts its own five variables in the place of the"
                                + " first five, and ends when there are fewer");
        assertThat(result.toYaml()).contains("- name: PS_VERBOSE\n");
    }

    @Test
    void a_key_in_the_wrong_case_is_an_error_that_names_the_right_one() {
        assertThatThrownBy(() -> MxJobs.read(yaml("local", "[{psRootPort: 1, POD}]")))
                .hasMessage("MxJob \"x\": spec.replicaSpecs[0].psRootPort: unknown key; did you mean \"PsRootPort\"?");
    }
}
