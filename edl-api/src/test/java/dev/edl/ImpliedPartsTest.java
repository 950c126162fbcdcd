package dev.edl;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.explain.JobExplanation.Entry;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleType;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Implied parts of a job that specifies only the essentials. */
class ImpliedPartsTest {
    private static Job line() {
        return Job.builder().ps(2).workers(4).priority(LOW).gpu(1).build();
    }

    private static String requests(JobBuilder job) {
        return job.build()
                .role("master")
                .template()
                .requests()
                .map(Resources::toString)
                .orElse("");
    }

    @Test
    void the_line_has_a_name_and_a_master() {
        assertThat(line()).hasToString("Job job-abf66853 (elasticdl): master, ps x 2, worker x 4");
        assertThat(line().role("worker").template().priority()).contains(LOW);
        assertThat(line().plan().replica("worker", 3).env())
                .containsEntry("MASTER_ADDR", "elasticdl-job-abf66853-master.default.svc:50001");
    }

    @Test
    void the_line_explains_what_it_implies() {
        assertThat(line().explain()).hasToString("""
                Job job-abf66853 (elasticdl): master, ps x 2, worker x 4

                Implied
                  name     job-abf66853               from the job's content; .name("mnist") sets another
                  master   x 1, cpu=100m,memory=1Gi   hands out an elasticdl job's work; .master() configures it

                By default
                  framework                elasticdl                            or .tensorflow(), .mxnet(), .horovod(), .pytorch()
                  namespace                default                              .namespace("team-a")
                  success                  leader                               the job ends with its master
                  cleanup                  running                              at the end, removes replicas that still run
                  deadline                 none                                 .deadline(Duration.ofHours(2))
                  ttl                      none                                 .ttl(Duration.ofHours(1)) removes the ended job
                  image                    none                                 pods need one: .image("registry.example/acme/mnist:1")
                  command                  none                                 the image's own; local processes need one
                  requests of ps           none                                 reserves nothing; .request("cpu=2,memory=2048Mi")
                  priority of master, ps   none                                 the cluster's default class; .priority(HIGH)
                  port                     master 50001, ps 2222, worker 3333   the framework's own; .port(2222)
                  restart                  on-failure                           relaunches a replica that fails
                  relaunchLimit            1                                    failures of a replica; a deleted pod does not count
                """);
    }

    @Test
    void explicit_settings_are_not_explained() {
        Job job = Job.named("j")
                .master()
                .request("cpu=2,memory=2Gi")
                .workers(1)
                .request("cpu=1")
                .build();

        assertThat(job.explain().implied()).isEmpty();
        assertThat(job.explain().defaults()).extracting(Entry::subject).doesNotContain("requests");
    }

    @Test
    void a_derived_name_covers_all_but_itself() {
        Job job = line();

        assertThat(job.toBuilder().name(job.name()).build()).isEqualTo(job);
        assertThat(Job.of(JobSpec.builder().from(job.spec()).name("").build())).isEqualTo(job);
        assertThat(Job.builder()
                        .ps(2)
                        .workers(4)
                        .priority(LOW)
                        .gpu(1)
                        .env("A", "1")
                        .build()
                        .name())
                .isNotEqualTo(job.name());
        assertThat(Job.builder()
                        .ps(2)
                        .workers(4)
                        .priority(LOW)
                        .gpu(1)
                        .namespace("n")
                        .build()
                        .name())
                .isNotEqualTo(job.name());
    }

    @Test
    void equal_contents_in_another_order_have_one_name() {
        assertThat(Job.builder().workers(1).env("A", "1").env("B", "2").build())
                .isEqualTo(Job.builder().workers(1).env("B", "2").env("A", "1").build());
    }

    @Test
    void a_changed_job_keeps_its_name() {
        assertThat(line().toBuilder().workers(6).build().name()).isEqualTo("job-abf66853");
    }

    @Test
    void text_without_a_name_and_a_master_is_the_same_job() {
        assertThat(Job.fromYaml("""
                roles:
                  ps: {replicas: 2}
                  worker: {replicas: 4, priority: low, requests: gpu=1}
                """)).isEqualTo(line());
        assertThat(Job.fromYaml(line().toYaml())).isEqualTo(line());
        assertThat(Job.fromJson(line().toJson()).explain()).isEqualTo(line().explain());
    }

    @Test
    void the_text_includes_implied_parts() {
        assertThat(line().toYaml()).isEqualTo("""
                name: job-abf66853
                roles:
                  master:
                    requests: cpu=100m,memory=1Gi
                  ps: {replicas: 2}
                  worker:
                    replicas: 4
                    requests: nvidia.com/gpu=1
                    priority: low
                """);
    }

    @Test
    void the_line_of_tensorflow_has_its_variable() {
        Job job =
                Job.builder().tensorflow().ps(2).workers(4).priority(LOW).gpu(1).build();

        assertThat(job.plan().replica("worker", 2).env().get("TF_CONFIG"))
                .endsWith("\"task\":{\"type\":\"worker\",\"index\":2}}");
        assertThat(job.explain().implied()).extracting(Entry::subject).containsExactly("name");
        assertThat(Job.builder()
                        .ps(2)
                        .workers(4)
                        .priority(LOW)
                        .gpu(1)
                        .tensorflow()
                        .build())
                .isEqualTo(job);
    }

    @Test
    void the_line_of_mxnet_has_servers_and_a_scheduler() {
        Job job = Job.builder().mxnet().ps(2).workers(4).priority(LOW).gpu(1).build();

        assertThat(job).hasToString("Job job-23c65c6e (mxnet): scheduler, server x 2, worker x 4");
        assertThat(job.plan().replica("server", 1).env())
                .containsEntry("DMLC_PS_ROOT_URI", "elasticdl-job-23c65c6e-scheduler.default.svc")
                .containsEntry("DMLC_ROLE", "server");
        assertThat(Job.builder()
                        .mxnet()
                        .servers(2)
                        .workers(4)
                        .priority(LOW)
                        .gpu(1)
                        .build())
                .isEqualTo(job);
        assertThat(Job.fromYaml("""
                framework: mxnet
                roles: {ps: {replicas: 2}, worker: {replicas: 4, priority: low, requests: gpu=1}}
                """)).isEqualTo(job);
        assertThat(job.explain().implied()).extracting(Entry::subject).containsExactly("name", "scheduler", "server");
        assertThat(job.plan(Profile.KUBEFLOW_V1).replica("worker", 0).env()).containsKey("MX_CONFIG");
    }

    @Test
    void mxnet_s_servers_are_reopened_by_ps_and_by_servers() {
        Job job = Job.builder().mxnet().ps(2).workers(4).build();

        assertThat(job.toBuilder().ps(3).build().role("server").replicas()).isEqualTo(3);
        assertThat(job.toBuilder().servers(3).build().role("server").replicas()).isEqualTo(3);
    }

    @Test
    void workers_alone_need_no_scheduler() {
        assertThat(Job.builder().mxnet().workers(1).build().roles()).hasSize(1);
    }

    @Test
    void an_implied_master_has_elasticdl_s_size_under_the_defaults_of_the_job() {
        assertThat(requests(Job.builder().workers(1))).isEqualTo("cpu=100m,memory=1Gi");
        assertThat(requests(Job.builder().request("cpu=2").workers(1))).isEqualTo("memory=1Gi");
        assertThat(requests(Job.builder().limit("memory=512Mi").workers(1))).isEqualTo("cpu=100m");
        assertThat(Job.builder()
                        .request("cpu=2,memory=4Gi")
                        .workers(1)
                        .build()
                        .role("master")
                        .template()
                        .requests())
                .isEmpty();
    }

    @Test
    void an_implied_role_reserves_no_device() {
        Job job = Job.builder().request("gpu=2").limit("gpu=2").ps(1).workers(1).build();

        assertThat(job.plan().role("master").template().effectiveLimits())
                .hasToString("cpu=100m,memory=1Gi,nvidia.com/gpu=0");
        assertThat(job.plan().role("ps").template().effectiveLimits()).hasToString("nvidia.com/gpu=2");
    }

    @Test
    void an_implied_role_is_preempted_no_sooner_than_a_parameter_server() {
        Job job = Job.builder().ps(1).priority(HIGH).workers(1).priority(LOW).build();

        assertThat(job.role("master").template().priority()).contains(HIGH);
    }

    @Test
    void a_change_of_framework_drops_an_implied_role_unless_it_was_opened() {
        assertThat(line().toBuilder().tensorflow().build().role(RoleType.MASTER))
                .isEmpty();
        assertThat(line().toBuilder().mxnet().build())
                .hasToString("Job job-abf66853 (mxnet): scheduler, server x 2, worker x 4");
        assertThat(line().toBuilder().master().tensorflow().build().role(RoleType.MASTER))
                .isPresent();
        assertThat(Job.builder().tensorflow().master().workers(1).build().toBuilder()
                        .elasticdl()
                        .build()
                        .role(RoleType.MASTER))
                .isPresent();
    }

    @Test
    void any_job_is_the_same_without_its_derived_name_and_after_text() {
        for (long seed = 0; seed < 300; seed++) {
            JobSpec given = RandomJobs.job(new Random(seed)).spec();
            JobSpec bare = JobSpec.builder()
                    .from(given)
                    .name("")
                    .roles(given.roles().stream()
                            .filter(role -> role.type() != RoleType.SCHEDULER
                                    && (role.type() != RoleType.MASTER || given.framework() != Framework.ELASTICDL))
                            .toList())
                    .build();
            Job job = Job.of(bare);

            assertThat(job.name()).as("seed %d", seed).matches("job-[0-9a-f]{8}");
            assertThat(Job.of(job.spec())).as("seed %d", seed).isEqualTo(job);
            assertThat(Job.fromYaml(job.toYaml())).as("seed %d", seed).isEqualTo(job);
            assertThat(Job.fromJson(job.toJson()).explain()).as("seed %d", seed).isEqualTo(job.explain());
            assertThat(job.toBuilder().build()).as("seed %d", seed).isEqualTo(job);
            assertThat(job.explain().implied().get(0).value())
                    .as("seed %d", seed)
                    .isEqualTo(job.name());
        }
    }
}
