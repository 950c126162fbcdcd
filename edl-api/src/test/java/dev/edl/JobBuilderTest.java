package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobBuilderTest {
    private static RoleSpec role(Job job, RoleType type) {
        return job.role(type).orElseThrow();
    }

    private static JobBuilder mnist() {
        return Job.named("mnist").master().ps(2).workers(4);
    }

    @Test
    void settings_before_the_first_role_are_defaults_and_later_ones_the_roles_own() {
        Job job = Job.builder()
                .name("mnist")
                .image("all:1")
                .master()
                .priority(Priority.HIGH)
                .ps(2)
                .request("cpu=2")
                .workers(4)
                .image("worker:1")
                .elastic(1, 8)
                .build();

        assertThat(job.spec().defaults())
                .isEqualTo(RoleTemplate.builder().image("all:1").build());
        assertThat(job.roles())
                .containsExactly(
                        RoleSpec.builder()
                                .type(RoleType.MASTER)
                                .replicas(1)
                                .template(RoleTemplate.builder()
                                        .priority(Priority.HIGH)
                                        .build())
                                .build(),
                        RoleSpec.builder()
                                .type(RoleType.PS)
                                .replicas(2)
                                .template(RoleTemplate.builder()
                                        .requests(Resources.parse("cpu=2"))
                                        .build())
                                .build(),
                        RoleSpec.builder()
                                .type(RoleType.WORKER)
                                .replicas(4)
                                .elastic(new ElasticBounds(1, 8))
                                .template(
                                        RoleTemplate.builder().image("worker:1").build())
                                .build());
    }

    @Test
    void a_lambda_equals_a_scope() {
        Job scoped = Job.named("mnist")
                .master()
                .port(1)
                .ps(2)
                .cpu(1)
                .workers(4)
                .gpu(1)
                .elastic(1, 8)
                .build();
        Job lambdas = Job.named("mnist")
                .master(m -> m.port(1))
                .ps(2, ps -> ps.cpu(1))
                .workers(4, w -> w.gpu(1).elastic(1, 8))
                .build();

        assertThat(lambdas).isEqualTo(scoped);
    }

    @Test
    void after_a_lambda_the_scope_is_the_one_before() {
        Job job = Job.named("mnist")
                .workers(4, w -> w.gpu(1))
                .image("all:1")
                .master()
                .ps(2, ps -> ps.cpu(1))
                .image("master:1")
                .build();

        assertThat(job.spec().defaults().image()).contains("all:1");
        assertThat(role(job, RoleType.MASTER).template().image()).contains("master:1");
        assertThat(role(job, RoleType.WORKER).template().image()).isEmpty();
        assertThat(role(job, RoleType.PS).template().image()).isEmpty();
    }

    @Test
    void every_setting_arrives() {
        ExitCodePolicy codes = new ExitCodePolicy(Set.of(137, 143), Set.of(2));
        Job job = mnist().image("i:1")
                .command("python", "train.py")
                .args("--epochs", "5")
                .env("A", "1")
                .request("cpu=2")
                .memory("1Gi")
                .disk("2Gi")
                .gpu(1)
                .gpu("amd.com/gpu", 2)
                .limit("cpu=4")
                .limit(Resources.of().memory("2Gi"))
                .priority("0.5")
                .volume("mount_path=/data,claim_name=c")
                .volume(Volume.hostPath("/m", "/cache"))
                .port(2222)
                .restart(RestartPolicy.ALWAYS)
                .exitCodes(codes)
                .relaunchLimit(3)
                .build();

        assertThat(role(job, RoleType.WORKER).template())
                .isEqualTo(RoleTemplate.builder()
                        .image("i:1")
                        .command(List.of("python", "train.py"))
                        .args(List.of("--epochs", "5"))
                        .putEnv("A", "1")
                        .requests(Resources.parse("cpu=2,memory=1Gi,disk=2Gi,gpu=1,amd.com/gpu=2"))
                        .limits(Resources.parse("cpu=4,memory=2Gi"))
                        .priority(Priority.fraction(0.5))
                        .volumes(List.of(Volume.claim("c", "/data"), Volume.hostPath("/m", "/cache")))
                        .port(OptionalInt.of(2222))
                        .restart(RestartPolicy.ALWAYS)
                        .exitCodes(codes)
                        .relaunchLimit(3)
                        .build());
    }

    @Test
    void settings_of_the_whole_job_are_allowed_anywhere() {
        Job job = mnist().namespace("training")
                .runId("run-1")
                .label("team", "vision")
                .annotation("note", "any text: really")
                .success(SuccessPolicy.ALL_WORKERS)
                .cleanup(CleanupPolicy.ALL)
                .ttl(Duration.ZERO)
                .deadline(Duration.ofHours(2))
                .backoff(Duration.ofSeconds(10), Duration.ofMinutes(5))
                .build();

        assertThat(job.namespace()).isEqualTo("training");
        assertThat(job.spec().runId()).contains("run-1");
        assertThat(job.spec().labels()).isEqualTo(Map.of("team", "vision"));
        assertThat(job.spec().annotations()).isEqualTo(Map.of("note", "any text: really"));
        assertThat(job.spec().policy().success()).contains(SuccessPolicy.ALL_WORKERS);
        assertThat(job.spec().policy().cleanup()).isEqualTo(CleanupPolicy.ALL);
        assertThat(job.spec().policy().ttl()).contains(Duration.ZERO);
        assertThat(job.spec().policy().deadline()).contains(Duration.ofHours(2));
        assertThat(job.spec().policy().backoff())
                .isEqualTo(Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5)));
    }

    @Test
    void the_last_of_two_single_values_counts() {
        Job job =
                mnist().image("a:1").port(1).image("b:1").port(2).name("other").build();

        assertThat(job.name()).isEqualTo("other");
        assertThat(role(job, RoleType.WORKER).template().image()).contains("b:1");
        assertThat(role(job, RoleType.WORKER).template().port()).hasValue(2);
    }

    @Test
    void resources_add_up_by_name_in_any_order() {
        Job job = mnist().gpu(1).cpu(1).request("cpu=2,memory=1Gi").build();

        assertThat(role(job, RoleType.WORKER).template().requests())
                .contains(Resources.parse("cpu=2,memory=1Gi,gpu=1"));
    }

    @Test
    void a_role_keeps_the_defaults_resources_that_it_does_not_name() {
        Job job = Job.named("mnist")
                .request("cpu=2,memory=1Gi")
                .limit("cpu=4")
                .master()
                .workers(4)
                .gpu(1)
                .cpu(3)
                .build();
        RoleTemplate worker = job.spec().effective(role(job, RoleType.WORKER));

        assertThat(worker.requests()).contains(Resources.parse("cpu=3,memory=1Gi,gpu=1"));
        assertThat(worker.effectiveLimits()).isEqualTo(Resources.parse("cpu=4,memory=1Gi,gpu=1"));
    }

    @Test
    void a_pair_adds_and_a_map_replaces_environment_variables() {
        assertThat(role(mnist().env("A", "1").env("B", "2").env("A", "3").build(), RoleType.WORKER)
                        .template()
                        .env())
                .isEqualTo(Map.of("A", "3", "B", "2"));
        assertThat(role(mnist().env("A", "1").env(Map.of("B", "2")).build(), RoleType.WORKER)
                        .template()
                        .env())
                .isEqualTo(Map.of("B", "2"));
    }

    @Test
    void maps_and_lists_replace_labels_annotations_and_volumes() {
        Job job = mnist().label("a", "1")
                .labels(Map.of("b", "2"))
                .annotation("a", "1")
                .annotations(Map.of("b", "2"))
                .volume(Volume.claim("c", "/c"))
                .volumes(List.of(Volume.claim("d", "/d")))
                .build();

        assertThat(job.spec().labels()).isEqualTo(Map.of("b", "2"));
        assertThat(job.spec().annotations()).isEqualTo(Map.of("b", "2"));
        assertThat(role(job, RoleType.WORKER).template().volumes()).containsExactly(Volume.claim("d", "/d"));
    }

    @Test
    void labels_and_variables_of_a_map_have_a_fixed_order() {
        Job one = mnist().label("a", "1")
                .label("b", "2")
                .env(Map.of("A", "1", "B", "2", "C", "3"))
                .build();
        Job other = mnist().label("b", "2")
                .label("a", "1")
                .env("A", "1")
                .env("B", "2")
                .env("C", "3")
                .build();

        assertThat(one.toYaml()).isEqualTo(other.toYaml());
    }

    @Test
    void the_order_of_single_variables_is_kept() {
        Job job = mnist().env("B", "1").env("A", "$(B)").build();

        assertThat(role(Job.fromYaml(job.toYaml()), RoleType.WORKER)
                        .template()
                        .env()
                        .keySet())
                .containsExactly("B", "A");
    }

    @Test
    void each_framework_has_its_roles() {
        assertThat(Job.named("a")
                        .tensorflow()
                        .chief()
                        .ps()
                        .workers(2)
                        .evaluator()
                        .build())
                .hasToString("Job a (tensorflow): chief, ps x 1, worker x 2, evaluator");
        assertThat(Job.named("a").mxnet().scheduler().servers(2).workers(3).build())
                .hasToString("Job a (mxnet): scheduler, server x 2, worker x 3");
        assertThat(Job.named("a").horovod().launcher().workers(2).build())
                .hasToString("Job a (horovod): launcher, worker x 2");
        assertThat(Job.named("a").pytorch().master().workers().build())
                .hasToString("Job a (pytorch): master, worker x 1");
        assertThat(Job.named("test-mnist")
                        .elasticdl()
                        .master()
                        .ps(2)
                        .workers(4)
                        .elastic(1, 8)
                        .build())
                .hasToString("Job test-mnist (elasticdl): master, ps x 2, worker x 4 (1..8)");
    }

    @Test
    void the_job_of_the_seeds_is_composed_in_one_sentence() {
        Job job = Job.builder()
                .name("test-mnist")
                .image("registry.example/acme/mnist:1")
                .master()
                .priority(Priority.HIGH)
                .request("cpu=2,memory=2048Mi")
                .ps(2)
                .priority(Priority.HIGH)
                .request("cpu=2,memory=2048Mi")
                .workers(4)
                .priority(Priority.LOW)
                .gpu(1)
                .elastic(1, 8)
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .build();

        assertThat(job).hasToString("Job test-mnist (elasticdl): master, ps x 2, worker x 4 (1..8)");
    }

    @Test
    void a_changed_job_keeps_its_other_settings() {
        Job job = mnist().gpu(1).elastic(1, 8).ttl(Duration.ofHours(1)).build();
        Job larger = job.toBuilder().workers(8).build();

        assertThat(job.toBuilder().build()).isEqualTo(job).hasSameHashCodeAs(job);
        assertThat(role(larger, RoleType.WORKER).replicas()).isEqualTo(8);
        assertThat(role(larger, RoleType.WORKER).template())
                .isEqualTo(role(job, RoleType.WORKER).template());
        assertThat(larger.toBuilder().workers(4).build()).isEqualTo(job);
    }

    @Test
    void a_role_opened_again_without_a_number_keeps_its_number() {
        Job job = mnist().build().toBuilder()
                .workers()
                .priority(Priority.LOW)
                .ps()
                .build();

        assertThat(job).hasToString("Job mnist (elasticdl): master, ps x 2, worker x 4");
        assertThat(role(job, RoleType.WORKER).template().priority()).contains(Priority.LOW);
    }

    @Test
    void a_job_is_not_changed_through_its_builders() {
        JobBuilder builder = mnist().env("A", "1");
        Job job = builder.build();
        String before = job.toYaml();
        builder.env("B", "2").volume(Volume.claim("c", "/c"));
        job.toBuilder().workers().env("C", "3");

        assertThat(job.toYaml()).isEqualTo(before);
    }

    @Test
    void jobs_with_different_content_differ() {
        assertThat(mnist().build())
                .isEqualTo(mnist().build())
                .isNotEqualTo(mnist().gpu(1).build())
                .isNotEqualTo("mnist");
    }

    @Test
    void a_spec_made_by_other_means_is_checked_as_well() {
        Job job = mnist().build();

        assertThat(Job.of(job.spec())).isEqualTo(job);
        assertThatThrownBy(() -> Job.of(dev.edl.spec.JobSpec.builder().name("x").build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessage("job \"x\": roles are missing; for example ps(2).workers(4)");
        assertThat(job.role(RoleType.CHIEF)).isEqualTo(Optional.empty());
    }

    @Test
    void a_builder_prints_as_one_line() {
        assertThat(Job.builder())
                .hasToString("JobBuilder without a name (elasticdl): no roles; settings go to defaults");
        assertThat(Job.named("a\nb").master().ps(2).workers(4).elastic(1, 8).cpu(-1))
                .hasToString(
                        "JobBuilder a\\u000ab (elasticdl): master, ps x 2, worker x 4 (1..8); settings go to worker;"
                                + " 1 mistake");
    }

    @Test
    void a_role_that_is_being_built_prints_as_one_line() {
        Job.named("mnist")
                .master(master -> assertThat(master).hasToString("RoleBuilder master: 1 replica"))
                .workers(
                        4,
                        workers -> assertThat(workers.elastic(1, 8).image("a:1"))
                                .hasToString("RoleBuilder worker: 4 replicas, elastic 1..8, image a:1"));
    }

    @Test
    void a_role_is_found_by_id_and_an_unknown_id_lists_all_roles() {
        Job job = Job.named("m").master().ps(2).workers(4).build();

        assertThat(job.role("worker").replicas()).isEqualTo(4);
        assertThatThrownBy(() -> job.role("wroker"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"m\" has no role \"wroker\"; it has master, ps, worker");
    }
}
