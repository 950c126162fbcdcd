package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.k8s.render.internal.profiles.DefaultParameterServer;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Complete objects of the original systems' own examples, in the profiles of those systems. */
class ProfilesTest {
    private static final String SAMPLE = "gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff";

    /** tensorflow/k8s, examples/tf_job.yaml. */
    private static JobBuilder exampleJob() {
        return exampleWorkers().ps(2);
    }

    private static JobBuilder exampleWorkers() {
        return Job.named("example-job")
                .tensorflow()
                .runId("76no")
                .master()
                .image(SAMPLE)
                .workers(1)
                .image(SAMPLE);
    }

    /** mxnet-operator, examples/mx_job_dist.yaml. */
    private static JobBuilder exampleDistJob() {
        return Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .image("mxjob/mxnet:gpu")
                .command("python")
                .args("train_cifar10.py")
                .scheduler()
                .servers(2)
                .workers(3)
                .args("train_cifar10.py", "--kv-store=dist_device_sync");
    }

    /** et-operator, examples/training_job.yaml. */
    private static Job elasticTraining() {
        return Job.named("elastic-training")
                .horovod()
                .image("registry.example/elastic-horovod:1")
                .launcher()
                .command(
                        "sh",
                        "-c",
                        "horovodrun -np 2 --min-np 1 --max-np 9 --host-discovery-script"
                                + " /etc/edl/discover_hosts.sh python /examples/elastic/tensorflow2_mnist_elastic.py")
                .workers(2)
                .elastic(1, 9)
                .gpu(1)
                .build();
    }

    // F.1
    @Test
    void tfjob_v1alpha1_has_jobs_services_and_the_default_ps_program() {
        Golden.assertSame(
                "tfjob-example-job.yaml",
                Manifests.of(exampleJob().build().plan(Profile.TFJOB_V1ALPHA1)).toYaml());
    }

    //
    @Test
    void the_default_ps_gets_the_cluster_with_role_names() {
        JobPlan plan = exampleJob().build().plan(Profile.TFJOB_V1ALPHA1);

        assertThat(DefaultParameterServer.clusterSpec(plan))
                .isEqualTo("master|example-job-master-76no-0:2222,"
                        + "ps|example-job-ps-76no-0:2222;example-job-ps-76no-1:2222,"
                        + "worker|example-job-worker-76no-0:2222");
        assertThat(container(PodTemplates.of(plan).get("ps", 1)).getCommand())
                .startsWith("python", "/ps-server/grpc_tensorflow_server.py", "--cluster_spec")
                .endsWith("--job_name", "ps", "--task_id", "1");
    }

    // A-05, the operator's own vector
    @Test
    void the_default_ps_cluster_equals_that_of_the_operators_test() {
        JobPlan plan = Job.named("j")
                .tensorflow()
                .image("i")
                .master()
                .ps(2)
                .workers(2)
                .build()
                .plan(Profile.TFJOB_V1ALPHA1)
                .reachedBy((role, index) -> new Endpoint(
                        role, index, role == RoleType.PS && index == 0 ? "localhost" : role + "-" + index, 2222));

        assertThat(DefaultParameterServer.clusterSpec(plan))
                .isEqualTo("master|master-0:2222,ps|localhost:2222;ps-1:2222,worker|worker-0:2222;worker-1:2222");
    }

    //
    @Test
    void the_image_of_the_default_ps_is_the_job_s_tf_image() {
        PodTemplateSpec pod = PodTemplates.of(
                        exampleJob().build().plan(Profile.TFJOB_V1ALPHA1),
                        PodOptions.builder()
                                .tfImage("tensorflow/tensorflow:1.4.0")
                                .build())
                .get("ps", 0);

        assertThat(container(pod).getImage()).isEqualTo("tensorflow/tensorflow:1.4.0");
        assertThat(container(pod).getCommand()).startsWith("python", "/ps-server/grpc_tensorflow_server.py");
    }

    @Test
    void a_ps_with_its_own_program_needs_an_image() {
        JobPlan command =
                exampleWorkers().ps(1).command("python", "ps.py").build().plan(Profile.TFJOB_V1ALPHA1);
        JobPlan args = exampleWorkers().ps(1).args("--verbose").build().plan(Profile.TFJOB_V1ALPHA1);

        for (JobPlan plan : List.of(command, args)) {
            PodTemplates pods = PodTemplates.of(plan);
            assertThatThrownBy(() -> pods.get("ps", 0))
                    .isInstanceOf(RenderException.class)
                    .hasMessage("job \"example-job\": ps.image must be set, because a pod has no default image; for"
                            + " example"
                            + " image(\"registry.example/acme/mnist:1\")");
        }
    }

    //
    @Test
    void rendering_is_deterministic() {
        JobPlan plan = exampleJob().build().plan(Profile.TFJOB_V1ALPHA1);

        assertThat(Manifests.of(plan).objects())
                .isEqualTo(Manifests.of(plan).objects())
                .doesNotHaveDuplicates();
    }

    // D-07
    @Test
    void a_host_has_as_many_slots_as_its_pod_has_devices() {
        JobPlan plan = elasticTraining().toBuilder().workers(2).gpu(4).build().plan(Profile.ET_V1ALPHA1);

        assertThat(Manifests.of(plan).objects(ConfigMap.class).get(0).getData())
                .containsEntry("hostfile", "elastic-training-worker-0:4\nelastic-training-worker-1:4\n")
                .containsEntry(
                        "deepspeed-hostfile", "elastic-training-worker-0 slots=4\nelastic-training-worker-1 slots=4\n");
    }

    // D-09
    @Test
    void everything_of_a_job_is_in_its_namespace() {
        JobPlan plan = elasticTraining().toBuilder().namespace("other").build().plan(Profile.ET_V1ALPHA1);

        assertThat(Manifests.of(plan).objects())
                .extracting(object -> object.getMetadata().getNamespace())
                .containsOnly("other");
        assertThat(Manifests.of(plan).objects(RoleBinding.class).get(0).getSubjects())
                .extracting(Subject::getNamespace)
                .containsExactly("other");
    }

    @Test
    void a_tensorboard_whose_name_a_service_cannot_have_is_refused() {
        PodOptions board = PodOptions.builder()
                .tensorBoard(TensorBoard.of("/l").image("tb"))
                .build();
        JobPlan kubeflow = Job.named("n".repeat(54))
                .tensorflow()
                .image("i")
                .workers(2)
                .build()
                .plan(Profile.KUBEFLOW_V1);
        JobPlan tfJob =
                exampleJob().name("n".repeat(50)).runId("r".repeat(12)).build().plan(Profile.TFJOB_V1ALPHA1);

        assertThatThrownBy(() -> Manifests.of(kubeflow, board))
                .hasMessage("job \"" + "n".repeat(54) + "\": TensorBoard's name " + "n".repeat(54)
                        + "-tensorboard may have at most 63 characters; shorten the job's name by 3");
        assertThatThrownBy(() -> Manifests.of(tfJob, board))
                .hasMessage("job \"" + "n".repeat(50) + "\": TensorBoard's name " + "n".repeat(40) + "-tensorboard-"
                        + "r".repeat(12) + " may have at most 63 characters; shorten the run id by 2");
    }

    // F.1, A.8
    @Test
    void tfjob_v1alpha1_has_a_tensorboard_where_one_is_asked_for() {
        Golden.assertSame(
                "tfjob-tensorboard.yaml",
                ManifestYaml.of(new TensorBoardObjects(
                                exampleJob().build().plan(Profile.TFJOB_V1ALPHA1),
                                PodOptions.none(),
                                TensorBoard.of("/tmp/tensorflow").serviceType("LoadBalancer"))
                        .objects()));
    }

    @Test
    void the_address_of_a_store_is_tensorboard_s_log_directory_unchanged() {
        assertThat(ManifestYaml.of(new TensorBoardObjects(
                                exampleJob().build().plan(Profile.TFJOB_V1ALPHA1),
                                PodOptions.none(),
                                TensorBoard.of("gs://my-bucket/mnist logs"))
                        .objects()))
                .contains("        - \"--logdir\"\n        - \"gs://my-bucket/mnist logs\"\n");
    }

    //
    @Test
    void a_name_of_50_characters_is_cut_to_40() {
        JobPlan plan = Job.named("n".repeat(50))
                .tensorflow()
                .runId("76no")
                .image("i")
                .master()
                .build()
                .plan(Profile.TFJOB_V1ALPHA1);

        assertThat(Manifests.of(plan).objects(Service.class))
                .extracting(service -> service.getMetadata().getName())
                .containsExactly("n".repeat(40) + "-master-76no-0");
    }

    //
    @Test
    void the_operators_variable_comes_last() {
        PodTemplateSpec pod = PodTemplates.of(exampleWorkers()
                        .ps(2)
                        .image("i")
                        .env("ZZZ", "1")
                        .env("TF_CONFIG", "mine")
                        .env("AAA", "2")
                        .build()
                        .plan(Profile.TFJOB_V1ALPHA1))
                .get("ps", 0);

        assertThat(container(pod).getEnv()).extracting(EnvVar::getName).containsExactly("ZZZ", "AAA", "TF_CONFIG");
        assertThat(container(pod).getEnv().get(2).getValue())
                .endsWith("\"task\":{\"type\":\"ps\",\"index\":0},\"environment\":\"cloud\"}");
    }

    // F.2
    @Test
    void mxjob_is_a_job_for_each_replica_and_one_service() {
        Golden.assertSame(
                "mxjob-example-dist-job.yaml",
                Manifests.of(exampleDistJob().build().plan(Profile.MXJOB_V1BETA1))
                        .toYaml());
    }

    // C-03
    @Test
    void variables_of_the_user_stand_before_those_of_mxnet() {
        PodTemplateSpec pod = PodTemplates.of(
                        exampleDistJob().env("PS_VERBOSE", "2").build().plan(Profile.MXJOB_V1BETA1))
                .get("worker", 0);

        assertThat(container(pod).getEnv())
                .extracting(EnvVar::getName)
                .containsExactly(
                        "PS_VERBOSE",
                        "DMLC_PS_ROOT_PORT",
                        "DMLC_PS_ROOT_URI",
                        "DMLC_NUM_SERVER",
                        "DMLC_NUM_WORKER",
                        "DMLC_ROLE");
    }

    // F.2
    @Test
    void a_local_mxjob_is_one_job_alone() {
        Manifests manifests = Manifests.of(Job.named("example-local-job")
                .mxnet()
                .runId("1kkf")
                .image("mxjob/mxnet:gpu")
                .workers(1)
                .build()
                .plan(Profile.MXJOB_V1BETA1));

        assertThat(manifests).hasToString("Job default/example-local-job-worker-1kkf-0");
    }

    // F.3
    @Test
    void et_has_workers_with_services_and_a_launcher_with_host_files() {
        PodOptions keys = PodOptions.builder()
                .sshKeys(new SshKeys(
                        "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n", "ssh-rsa AAAA edl"))
                .build();

        Golden.assertSame(
                "et-elastic-training.yaml",
                Manifests.of(elasticTraining().plan(Profile.ET_V1ALPHA1), keys).toYaml());
    }

    @Test
    void a_launcher_with_further_permissions_has_one_account() {
        PodOptions more = PodOptions.builder()
                .role("launcher", launcher -> launcher.apiAccess("", "secrets", "get"))
                .build();
        Manifests manifests = Manifests.of(elasticTraining().plan(Profile.ET_V1ALPHA1), more);

        assertThat(manifests.toString()).startsWith("""
                ServiceAccount default/elastic-training-launcher
                Role default/elastic-training-launcher
                RoleBinding default/elastic-training-launcher
                ConfigMap default/elastic-training-config
                """);
        assertThat(manifests.objects(Role.class).get(0).getRules())
                .extracting(rule -> rule.getResources().get(0) + " " + rule.getVerbs())
                .containsExactly("pods [get, list, watch]", "pods/exec [create]", "configmaps [get]", "secrets [get]");
    }

    @Test
    void an_existing_account_gets_the_launchers_permissions() {
        PodOptions there = PodOptions.builder()
                .role("launcher", launcher -> launcher.serviceAccount("trainer"))
                .build();
        Manifests manifests = Manifests.of(elasticTraining().plan(Profile.ET_V1ALPHA1), there);

        assertThat(manifests.toString()).startsWith("""
                Role default/trainer
                RoleBinding default/trainer
                ConfigMap default/elastic-training-config
                """);
    }

    // D.4, kubexec
    @Test
    void a_launcher_may_reach_its_workers_by_kubectl_instead_of_ssh() {
        Manifests manifests = Manifests.of(
                elasticTraining().plan(Profile.ET_V1ALPHA1),
                PodOptions.builder().kubexec().build());
        List<Pod> pods = manifests.objects(Pod.class);
        PodSpec worker = pods.get(0).getSpec();
        PodSpec launcher = pods.get(2).getSpec();

        assertThat(worker.getContainers().get(0).getCommand()).containsExactly("sh", "-c", "sleep 365d");
        assertThat(worker.getVolumes()).isEmpty();
        assertThat(launcher.getVolumes())
                .extracting(Volume::getName)
                .containsExactly(
                        "training-job-hostfile", "training-job-config", "training-job-kubectl", "deepspeed-hostfile");
        assertThat(launcher.getContainers().get(0).getEnv())
                .containsExactly(new EnvVar("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh", null));
    }

    @Test
    void keys_are_for_ssh_and_kubectl_for_one_profile() {
        JobPlan plan = elasticTraining().plan(Profile.ET_V1ALPHA1);
        PodOptions both = PodOptions.builder()
                .kubexec()
                .sshKeys(new SshKeys("-----BEGIN RSA PRIVATE KEY-----\n", "ssh-rsa AAAA"))
                .build();
        PodOptions kubexec = PodOptions.builder().kubexec().build();

        assertThatThrownBy(() -> Manifests.of(plan, both))
                .hasMessage("job \"elastic-training\": kubexec needs no sshKeys; leave one of them out");
        assertThatThrownBy(() -> Manifests.of(elasticTraining().plan(), kubexec))
                .hasMessage("job \"elastic-training\": kubexec is for profile ET_V1ALPHA1, the plan's is ELASTICDL;"
                        + " leave it out");
    }

    // B.4
    @Test
    void a_pytorchjob_s_workers_wait_for_the_name_of_their_master() {
        PodTemplates pods = PodTemplates.of(
                Job.named("mnist")
                        .pytorch()
                        .image("i")
                        .master()
                        .workers(2)
                        .build()
                        .plan(Profile.KUBEFLOW_V1),
                PodOptions.builder().security(PodSecurity.RESTRICTED).build());
        PodTemplates alone = PodTemplates.of(
                Job.named("mnist").pytorch().image("i").workers(2).build().plan(Profile.KUBEFLOW_V1));

        assertThat(pods.get("master", 0).getSpec().getInitContainers()).isEmpty();
        assertThat(alone.get("worker", 0).getSpec().getInitContainers()).isEmpty();
        assertThat(pods.get("worker", 1).getSpec().getInitContainers())
                .singleElement()
                .satisfies(wait -> {
                    assertThat(wait.getName()).isEqualTo("init-pytorch");
                    assertThat(wait.getCommand())
                            .containsExactly(
                                    "sh",
                                    "-c",
                                    "for try in $$(seq 100); do nslookup mnist-master-0 && exit 0; echo waiting for"
                                            + " mnist-master-0; sleep 2; done; exit 1");
                    assertThat(wait.getSecurityContext().getRunAsUser()).isEqualTo(65_534);
                });
    }

    // F.4
    @Test
    void kubeflow_v1_is_a_pod_and_a_headless_service_for_each_replica() {
        Golden.assertSame(
                "kubeflow-example-job.yaml",
                Manifests.of(exampleWorkers().ps(2).image(SAMPLE).build().plan(Profile.KUBEFLOW_V1))
                        .toYaml());
    }

    @Test
    void an_mpijob_v1_has_sleeping_workers_and_a_kubectl_launcher() {
        Golden.assertSame(
                "mpijob.yaml",
                Manifests.of(Job.named("tensorflow-benchmarks")
                                .horovod()
                                .image("mpioperator/tensorflow-benchmarks:latest")
                                .launcher()
                                .command("mpirun", "python", "tf_cnn_benchmarks.py")
                                .workers(2)
                                .gpu(1)
                                .build()
                                .plan(Profile.KUBEFLOW_V1))
                        .toYaml());
    }

    @Test
    void a_launcher_without_workers_may_reach_into_no_pod() {
        Job alone = Job.named("alone")
                .horovod()
                .image("i")
                .launcher()
                .command("python")
                .build();
        Manifests et = Manifests.of(alone.plan(Profile.ET_V1ALPHA1));

        assertThat(Manifests.of(alone.plan(Profile.KUBEFLOW_V1))
                        .objects(Role.class)
                        .get(0)
                        .getRules())
                .extracting(rule -> rule.getResources().get(0))
                .containsExactly("pods");
        assertThatThrownBy(et::objects)
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"alone\": a TrainingJob must have workers; add them, for example .workers(2)");
    }

    @Test
    void an_mpijob_s_launcher_with_devices_computes_as_well() {
        Job job = elasticTraining().toBuilder().launcher().gpu(1).build();

        assertThat(Manifests.of(job.plan(Profile.KUBEFLOW_V1))
                        .objects(ConfigMap.class)
                        .get(0)
                        .getData())
                .containsEntry("hostfile", """
                        elastic-training-launcher slots=1
                        elastic-training-worker-0 slots=1
                        elastic-training-worker-1 slots=1
                        """);
    }

    @Test
    void workers_reached_by_pod_name_must_be_pods() {
        JobPlan mpi = elasticTraining().plan(Profile.KUBEFLOW_V1);

        assertThatThrownBy(() -> Manifests.of(mpi, PodOptions.none(), Workload.JOBS))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"elastic-training\": the launcher addresses its workers by pod name, but pods of"
                        + " workload JOBS have generated names; omit the workload, or use Workload.PODS");
    }

    @Test
    void horovod_s_launcher_finds_its_workers_in_a_config_map() {
        Golden.assertSame(
                "horovod-elastic-training.yaml",
                Manifests.of(elasticTraining().toBuilder()
                                .runId("a1b2c3d4")
                                .build()
                                .plan())
                        .toYaml());
    }

    private static io.fabric8.kubernetes.api.model.Container container(PodTemplateSpec pod) {
        return pod.getSpec().getContainers().get(0);
    }
}
