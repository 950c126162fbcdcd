package dev.edl.k8s.render;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.plan.Endpoint;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.MapAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class ManifestsTest {
    /** Job of ElasticDL's tutorial on Google Cloud. */
    static Job mnist() {
        return Job.named("test-mnist")
                .runId("a1b2c3d4")
                .image("gcr.io/acme/elasticdl:mnist")
                .request("cpu=2,memory=2048Mi")
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .master()
                .priority(HIGH)
                .ps(2)
                .priority(HIGH)
                .workers(4)
                .elastic(1, 8)
                .priority(LOW)
                .gpu(1)
                .build();
    }

    @Test
    void an_object_comes_before_those_that_need_it() {
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1_000_000)
                .priorityClass("low", 1000)
                .apiAccess("", "pods", "get", "list")
                .role("master", master -> master.apiAccess("", "services", "create"))
                .gang(Gang.coscheduling().timeout(Duration.ofMinutes(10)))
                .queue("team-a")
                .tensorBoard(TensorBoard.of("/data/logs")
                        .image("tensorflow/tensorflow:2.15.0")
                        .volume(Volume.claim("fileserver-claim", "/data").readOnly(true)))
                .build();

        Golden.assertSame(
                "mnist-options.yaml", Manifests.of(mnist().plan(), options).toYaml());
    }

    @Test
    void the_yaml_equals_the_objects_for_any_job() {
        Job odd = mnist().toBuilder()
                .runId("0x1f")
                .label("on", "1e3")
                .annotation("y", "null")
                .workers(4)
                .elastic(1, 8)
                .env("A", "$(HOME) $$ \"'\" é\n")
                .env("N", "012")
                .command("sh", "-c", "set -e\nexec train\n")
                .args("yes", "", " ", "2001-01-01")
                .build();
        Manifests manifests = Manifests.of(odd.plan());
        List<Object> documents = new ArrayList<>();
        new Yaml().loadAll(manifests.toYaml()).forEach(documents::add);

        assertThat(documents).isEqualTo(Serialization.unmarshal(Serialization.asJson(manifests.objects()), List.class));
    }

    @Test
    void a_tensorboard_has_the_scheduling_options_of_the_job() {
        PodOptions options = PodOptions.builder()
                .toleration("dedicated", "NoSchedule")
                .nodeSelector("disk", "ssd")
                .imagePullPolicy("Always")
                .role("worker", worker -> worker.toleration("nvidia.com/gpu", "NoSchedule"))
                .tensorBoard(TensorBoard.of("/logs").image("tb"))
                .build();
        PodSpec board = Manifests.of(mnist().plan(), options)
                .objects(Deployment.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec();

        assertThat(board.getTolerations()).extracting(Toleration::getKey).containsExactly("dedicated");
        assertThat(board.getNodeSelector()).isEqualTo(Map.of("disk", "ssd"));
        assertThat(board.getContainers().get(0).getImagePullPolicy()).isEqualTo("Always");
    }

    @Test
    void an_existing_account_is_not_created_and_gets_minimal_permissions() {
        PodOptions alone = PodOptions.builder().serviceAccount("trainer").build();
        PodOptions asking = PodOptions.builder()
                .serviceAccount("trainer")
                .role("master", master -> master.apiAccess("", "pods", "get"))
                .build();

        assertThat(Manifests.of(mnist().plan(), alone).objects(Role.class)).isEmpty();
        assertThat(Manifests.of(mnist().plan(), asking).objects(ServiceAccount.class))
                .isEmpty();
        assertThat(Manifests.of(mnist().plan(), asking).objects(Role.class))
                .singleElement()
                .satisfies(role -> {
                    assertThat(role.getMetadata().getName()).isEqualTo("trainer");
                    assertThat(role.getRules())
                            .containsExactly(new PolicyRuleBuilder()
                                    .withApiGroups("")
                                    .withResources("pods")
                                    .withVerbs("get")
                                    .build());
                });
    }

    @Test
    void every_namespaced_object_has_the_owner() {
        Pod owner = new PodBuilder()
                .withNewMetadata()
                .withName("submitter")
                .withNamespace("default")
                .withUid("e11f9577-b5e5-11e7-8522-42010a8e01a4")
                .endMetadata()
                .build();
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1000)
                .gang(Gang.coscheduling())
                .owner(owner)
                .build();
        Manifests manifests = Manifests.of(mnist().plan(), options);

        assertThat(manifests.objects(PriorityClass.class).get(0).getMetadata().getOwnerReferences())
                .isEmpty();
        assertThat(manifests.objects())
                .filteredOn(object -> !(object instanceof PriorityClass))
                .hasSize(7)
                .allSatisfy(object -> assertThat(object.getMetadata().getOwnerReferences())
                        .containsExactly(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("Pod")
                                .withName("submitter")
                                .withUid("e11f9577-b5e5-11e7-8522-42010a8e01a4")
                                .withController(true)
                                .withBlockOwnerDeletion(true)
                                .build()));
    }

    @Test
    void an_owner_in_another_namespace_is_refused() {
        Pod unborn = new PodBuilder()
                .withNewMetadata()
                .withName("submitter")
                .endMetadata()
                .build();
        Pod elsewhere = new PodBuilder()
                .withNewMetadata()
                .withName("submitter")
                .withNamespace("other")
                .withUid("u")
                .endMetadata()
                .build();
        PodOptions.Builder options = PodOptions.builder();
        PodOptions foreign = PodOptions.builder().owner(elsewhere).build();

        assertThatThrownBy(() -> options.owner(unborn))
                .hasMessage(
                        "an owner must have apiVersion, kind, name and uid, was v1 Pod submitter with uid null; pass"
                                + " the object as read from the cluster");
        assertThatThrownBy(() -> Manifests.of(mnist().plan(), foreign))
                .hasMessage("job \"test-mnist\": an owner must be in the job's namespace default, was in other; the"
                        + " garbage collector would treat it as deleted and delete the job");
    }

    @Test
    void pods_have_no_api_permissions_by_default() {
        assertThat(Manifests.of(mnist().plan()).objects())
                .extracting(HasMetadata::getKind)
                .containsOnly("Service", "Job");
    }

    @Test
    void pods_have_own_names_and_one_queue_and_gang() {
        PodOptions options = PodOptions.builder()
                .queue("team-a")
                .gang(Gang.volcano("training"))
                .build();
        Manifests manifests = Manifests.of(mnist().plan(), options, Workload.PODS);
        Pod worker = manifests.objects(Pod.class).get(6);

        assertThat(manifests).hasToString("""
                PodGroup default/elasticdl-test-mnist
                Service default/elasticdl-test-mnist-master
                Service default/elasticdl-test-mnist-ps-0
                Service default/elasticdl-test-mnist-ps-1
                Pod default/elasticdl-test-mnist-master
                Pod default/elasticdl-test-mnist-ps-0
                Pod default/elasticdl-test-mnist-ps-1
                Pod default/elasticdl-test-mnist-worker-0
                Pod default/elasticdl-test-mnist-worker-1
                Pod default/elasticdl-test-mnist-worker-2
                Pod default/elasticdl-test-mnist-worker-3""");
        assertThat(manifests.objects(GenericKubernetesResource.class).get(0).getAdditionalProperties())
                .isEqualTo(Map.of(
                        "spec",
                        Map.of(
                                "minMember",
                                4,
                                "minResources",
                                Map.of("cpu", "8", "memory", "8Gi", "nvidia.com/gpu", "1"),
                                "queue",
                                "training")));
        assertThat(worker.getMetadata().getLabels())
                .containsEntry("kueue.x-k8s.io/queue-name", "team-a")
                .doesNotContainKey("kueue.x-k8s.io/pod-group-name");
        assertThat(worker.getMetadata().getAnnotations())
                .isEqualTo(Map.of(
                        "scheduling.k8s.io/group-name", "elasticdl-test-mnist",
                        "volcano.sh/task-spec", "worker"));
        assertThat(worker.getSpec().getSchedulerName()).isEqualTo("volcano");
        // Kueue deletes pods above a group's fixed number: the workers above the minimum are none of it.
        assertThat(manifests.objects(Pod.class).subList(0, 4)).allSatisfy(pod -> {
            assertThat(pod.getMetadata().getLabels())
                    .containsEntry("kueue.x-k8s.io/queue-name", "team-a")
                    .containsEntry("kueue.x-k8s.io/pod-group-name", "elasticdl-test-mnist");
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("kueue.x-k8s.io/pod-group-total-count", "4");
        });
    }

    @Test
    void a_gang_of_kubernetes_itself_has_the_minimum_of_an_elastic_job() {
        PodOptions options = PodOptions.builder().gang(Gang.kubernetes()).build();
        Manifests manifests = Manifests.of(mnist().plan(), options, Workload.PODS);

        assertThat(manifests.objects(GenericKubernetesResource.class))
                .extracting(GenericKubernetesResource::getApiVersion, one -> one.get("spec"))
                .containsExactly(tuple(
                        "scheduling.k8s.io/v1alpha2",
                        Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", 4)))));
        assertThat(manifests.objects(Pod.class)).hasSize(7).allSatisfy(pod -> {
            assertThat(pod.getSpec().getSchedulingGroup()).isEqualTo(new PodSchedulingGroup("elasticdl-test-mnist"));
            assertThat(pod.getSpec().getSchedulerName()).isNull();
        });
        assertThat(options).hasToString("PodOptions gang kubernetes");
        assertThatThrownBy(() -> Gang.kubernetes().timeout(Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Kubernetes' PodGroup has no timeout; leave it out");
    }

    @ParameterizedTest
    @CsvSource({
        "1, '{cpu=2, memory=2Gi}'",
        "2, '{cpu=4, memory=4Gi}'",
        "6, '{cpu=12, memory=12Gi, nvidia.com/gpu=3}'",
        "7, '{cpu=14, memory=14Gi, nvidia.com/gpu=4}'"
    })
    void a_gang_of_n_requests_the_resources_of_the_first_n_pods(int members, String resources) {
        groupSpec(mnist(), Gang.coscheduling().members(members))
                .hasEntrySatisfying("minResources", found -> assertThat(found).hasToString(resources));
    }

    @Test
    void a_gang_without_requests_has_no_min_resources() {
        Job job = Job.named("test-mnist").image("x").master().workers(2).build();

        groupSpec(job, Gang.volcano("default")).isEqualTo(Map.of("minMember", 3, "queue", "default"));
    }

    private static MapAssert<Object, Object> groupSpec(Job job, Gang gang) {
        PodOptions options = PodOptions.builder().gang(gang).build();
        return assertThat(Manifests.of(job.plan(), options)
                        .objects(GenericKubernetesResource.class)
                        .get(0)
                        .getAdditionalProperties()
                        .get("spec"))
                .asInstanceOf(InstanceOfAssertFactories.MAP);
    }

    @Test
    void replicas_that_differ_in_more_than_their_index_have_own_jobs() {
        Job job = mnist().toBuilder().workers(4).priority("0.5").build();

        assertThat(Manifests.of(job.plan()).objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class))
                .extracting(made -> made.getMetadata().getName() + " "
                        + made.getSpec().getTemplate().getSpec().getPriorityClassName())
                .containsExactly(
                        "elasticdl-test-mnist-master high",
                        "elasticdl-test-mnist-ps high",
                        "elasticdl-test-mnist-worker-0 high",
                        "elasticdl-test-mnist-worker-1 low",
                        "elasticdl-test-mnist-worker-2 low",
                        "elasticdl-test-mnist-worker-3 high");
    }

    @Test
    void deadline_and_time_to_live_are_those_of_the_job() {
        Job job = mnist().toBuilder()
                .deadline(Duration.ofMillis(1500))
                .ttl(Duration.ofMinutes(1))
                .workers(4)
                .restart(RestartPolicy.NEVER)
                .build();
        JobSpec worker = Manifests.of(job.plan())
                .objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class)
                .get(2)
                .getSpec();

        assertThat(worker.getActiveDeadlineSeconds()).isEqualTo(2);
        assertThat(worker.getTtlSecondsAfterFinished()).isEqualTo(60);
        assertThat(worker.getBackoffLimitPerIndex()).isZero();
        assertThat(worker.getPodFailurePolicy()).isNull();
    }

    @Test
    void five_thousand_workers_are_as_small_as_five() {
        Job five = mnist().toBuilder().workers(5).elastic(5, 5000).build();
        Job thousands = mnist().toBuilder().workers(5000).elastic(5, 5000).build();
        String yaml = Manifests.of(thousands.plan()).toYaml();

        assertThat(yaml).hasSizeLessThan(64 * 1024);
        assertThat(yaml.length() - Manifests.of(five.plan()).toYaml().length())
                .as("the digits of completions, parallelism and WORKER_NUM")
                .isEqualTo(3 * 5);
    }

    @Test
    void an_object_that_is_too_large_is_refused_with_a_fix() {
        JobBuilder job = Job.named("m").tensorflow().image("i").master();
        for (int i = 10; i < 23; i++) {
            job.env("BIG_" + i, "x".repeat(131_000));
        }
        Manifests manifests = Manifests.of(job.build().plan());

        assertThatThrownBy(manifests::toYaml)
                .isInstanceOf(RenderException.class)
                .hasMessageMatching("job \"m\": Job elasticdl-m-master takes 170\\d{4} bytes; Kubernetes takes at most"
                        + " 1572864; put long values into files on a volume and pass their paths, or use fewer"
                        + " replicas");
    }

    @Test
    void supporting_objects_are_all_but_the_replicas_pods() {
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1_000_000)
                .tensorBoard(TensorBoard.of("/data/logs").image("tensorflow/tensorflow:2.15.0"))
                .build();
        Manifests manifests = Manifests.of(mnist().plan(), options, Workload.PODS);

        assertThat(manifests.supportingObjects())
                .isNotEmpty()
                .isEqualTo(manifests.objects().stream()
                        .filter(object -> !(object instanceof Pod))
                        .toList());
    }

    @Test
    void a_check_renders_a_sample_of_a_large_role() {
        List<String> rendered = new ArrayList<>();
        PodOptions options = PodOptions.builder()
                .pod(pod -> {
                    Map<String, String> labels = pod.getMetadata().getLabels();
                    rendered.add(labels.get("elasticdl-replica-type") + " " + labels.get("elasticdl-replica-index"));
                    return pod;
                })
                .build();
        Job job = Job.named("large").image("i").master().ps(2).workers(5000).build();
        Manifests.of(job.plan(), options, Workload.PODS).check();

        assertThat(rendered)
                .hasSize(1 + 2 + 101)
                .contains("master 0", "ps 0", "ps 1", "worker 0", "worker 99", "worker 4999")
                .doesNotContain("worker 100", "worker 4998");
    }

    @Test
    void a_check_refuses_objects_that_the_cluster_would_refuse() {
        JobBuilder job = Job.named("m").tensorflow().image("i").master();
        for (int i = 10; i < 23; i++) {
            job.env("BIG_" + i, "x".repeat(131_000));
        }

        assertThatThrownBy(() -> Manifests.of(job.build().plan(), PodOptions.none(), Workload.PODS)
                        .check())
                .isInstanceOf(RenderException.class)
                .hasMessageContaining("Pod elasticdl-m-master takes 170");
    }

    @Test
    void the_text_reads_back_as_the_objects() {
        Manifests manifests = Manifests.of(mnist().plan());
        List<HasMetadata> objects = manifests.objects();
        String[] documents = manifests.toYaml().substring(4).split("(?m)^---\n");
        List<HasMetadata> read = new ArrayList<>();
        for (int i = 0; i < documents.length; i++) {
            read.add(Serialization.unmarshal(documents[i], objects.get(i).getClass()));
        }

        assertThat(read).isEqualTo(objects);
    }

    @Test
    void a_role_is_one_job_and_only_addressed_replicas_have_services() {
        Golden.assertSame("mnist.yaml", Manifests.of(mnist().plan()).toYaml());
    }

    @Test
    void a_plan_that_is_reached_elsewhere_has_no_services() {
        Manifests local = Manifests.of(
                mnist().plan().reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", 4000 + index)));

        assertThatThrownBy(local::objects)
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"test-mnist\": master 0 is reached at 127.0.0.1:4000, which the Service"
                        + " elasticdl-test-mnist-master cannot serve; render the plan from before reachedBy");
    }

    @Test
    void thousands_of_jobs_need_an_explicit_workload() {
        JobBuilder led = Job.named("m").pytorch().image("i").master().workers(1001);

        assertThatThrownBy(() -> Manifests.of(led.build().plan()).objects())
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker would be 1001 Jobs, because its replicas differ in more than their"
                        + " index:"
                        + " in PET_NODE_RANK; replace the master by one more worker, so that worker 0 leads, or make"
                        + " the workers elastic, or use Workload.JOBS to allow that many");
        assertThatThrownBy(() -> Manifests.of(Job.named("m")
                                .image("i")
                                .master()
                                .workers(1001)
                                .priority("0.5")
                                .build()
                                .plan())
                        .objects())
                .hasMessage(
                        "job \"m\": worker would be 1001 Jobs, because its replicas differ in more than their index: in"
                                + " the priority 0.5; use Workload.JOBS to allow that many");
        assertThat(Manifests.of(led.build().plan(), PodOptions.none(), Workload.JOBS)
                        .objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class))
                .hasSize(1002);
        Job elastic = led.build().toBuilder().workers().elastic(1, 1001).build();
        Job flat = Job.named("m").pytorch().image("i").workers(5001).build();
        for (Job small : List.of(elastic, flat)) {
            assertThat(Manifests.of(small.plan()).objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class))
                    .hasSizeLessThan(3);
        }
    }
}
