package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVerb.EVALUATE;
import static dev.edl.elasticdl.ElasticDlVerb.PREDICT;
import static dev.edl.elasticdl.ElasticDlVerb.TRAIN;
import static dev.edl.elasticdl.ElasticDlVersion.JULY_2020;
import static dev.edl.elasticdl.ElasticDlVersion.MARCH_2020;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;
import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.Volume;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticDlCommandTest {
    /** Flags common to both versions of ElasticDL's tutorial for a public cloud. */
    private static final String REST = """
              --model_zoo=model_zoo \\
              --model_def=mnist_functional_api.mnist_functional_api.custom_model \\
              --training_data=/data/mnist/train \\
              --validation_data=/data/mnist/test \\
              --num_epochs=5 \\
              --master_resource_request="cpu=2,memory=2048Mi" \\
              --master_resource_limit="cpu=2,memory=2048Mi" \\
              --master_pod_priority=high \\
              --worker_resource_request="cpu=2,memory=2048Mi" \\
              --worker_resource_limit="cpu=2,memory=2048Mi" \\
              --worker_pod_priority=low \\
              --ps_resource_request="cpu=2,memory=2048Mi" \\
              --ps_resource_limit="cpu=2,memory=2048Mi" \\
              --ps_pod_priority=high \\
              --minibatch_size=64 \\
              --num_minibatches_per_task=64 \\
              --num_ps_pods=2 \\
              --num_workers=4 \\
              --evaluation_steps=200 \\
              --grads_to_wait=1 \\
              --job_name=test-mnist \\
              --log_level=INFO \\
              --image_pull_policy=Always \\
              --volume="mount_path=/data,claim_name=fileserver-claim" \\
              --distribution_strategy=ParameterServerStrategy
            """;

    static final String MARCH = """
            python -m elasticdl.python.elasticdl.client train \\
              --image_base=elasticdl:ci \\
              --docker_image_repository=gcr.io/${PROJECT_ID} \\
            """ + REST;

    static final String JULY = """
            elasticdl train \\
              --image_name=gcr.io/${PROJECT_ID}/elasticdl:mnist \\
            """ + REST;

    static final Map<String, String> PROJECT = Map.of("PROJECT_ID", "acme");

    private static JobBuilder tutorial() {
        return Job.named("test-mnist")
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .master(master -> same(master).priority(HIGH))
                .ps(2, ps -> same(ps).priority(HIGH))
                .workers(4, workers -> same(workers).priority(LOW));
    }

    private static RoleBuilder same(RoleBuilder role) {
        return role.request("cpu=2,memory=2048Mi").limit("cpu=2,memory=2048Mi");
    }

    @Test
    void the_command_of_july_2020_becomes_a_job_and_flags() {
        ElasticDlCommand command = ElasticDlCommand.parse(JULY_2020, JULY, PROJECT);

        assertThat(command.verb()).isEqualTo(TRAIN);
        assertThat(command.job())
                .isEqualTo(tutorial().image("gcr.io/acme/elasticdl:mnist").build())
                .hasToString("Job test-mnist (elasticdl): master, ps x 2, worker x 4");
        assertThat(command.flags())
                .containsExactly(
                        entry("model_zoo", "model_zoo"),
                        entry("model_def", "mnist_functional_api.mnist_functional_api.custom_model"),
                        entry("training_data", "/data/mnist/train"),
                        entry("validation_data", "/data/mnist/test"),
                        entry("minibatch_size", "64"),
                        entry("num_minibatches_per_task", "64"),
                        entry("num_epochs", "5"),
                        entry("distribution_strategy", "ParameterServerStrategy"),
                        entry("grads_to_wait", "1"),
                        entry("evaluation_steps", "200"),
                        entry("image_pull_policy", "Always"),
                        entry("log_level", "INFO"));
        assertThat(command.losses()).isEmpty();
    }

    @Test
    void the_command_of_march_2020_builds_its_image_so_the_job_has_none() {
        ElasticDlCommand command = ElasticDlCommand.parse(MARCH_2020, MARCH, PROJECT);

        assertThat(command.job()).isEqualTo(tutorial().build());
        assertThat(command.text("image_base")).contains("elasticdl:ci");
        assertThat(command.text("docker_image_repository")).contains("gcr.io/acme");
        assertThat(command.truth("use_go_ps")).isFalse();
    }

    @Test
    void an_absent_flag_has_the_default_of_its_version() {
        List<String> march = List.of(
                "python3",
                "-m",
                "elasticdl.python.elasticdl.client",
                "train",
                "--job_name=a",
                "--model_zoo=z",
                "--model_def=m.f",
                "--minibatch_size=1",
                "--num_minibatches_per_task=1",
                "--num_workers=3");
        List<String> july = List.of("elasticdl", "train", "--job_name=a", "--model_zoo=z", "--model_def=m.f");
        List<String> release = List.of("/usr/bin/elasticdl", "train", "--job_name=a");

        assertThat(ElasticDlCommand.parse(MARCH_2020, march).job())
                .hasToString("Job a (elasticdl): master, ps x 1, worker x 3");
        ElasticDlCommand summer = ElasticDlCommand.parse(JULY_2020, july);
        assertThat(summer.job()).hasToString("Job a (elasticdl): master, ps x 1, worker x 2");
        assertThat(summer.truth("use_go_ps")).isTrue();
        assertThat(summer.number("minibatch_size")).isEqualTo(64);
        assertThat(summer.text("dataset_fn")).contains("dataset_fn");
        ElasticDlCommand last = ElasticDlCommand.parse(RELEASE_1_0, release);
        assertThat(last.job())
                .hasToString("Job a (elasticdl): master, worker x 2")
                .isEqualTo(Job.named("a")
                        .master(master -> master.request("cpu=0.1,memory=1024Mi"))
                        .workers(2, workers -> workers.request("cpu=1,memory=4096Mi"))
                        .build());
        assertThat(last.text("model_def")).isEmpty();
        assertThat(last.truth("need_task_manager")).isTrue();
    }

    @Test
    void a_value_may_be_a_separate_word_and_a_bare_flag_inverts_its_default() {
        ElasticDlCommand command = ElasticDlCommand.parse(
                RELEASE_1_0,
                "elasticdl train --job_name a --num_epochs -1 --use_async --need_task_manager --task_fault_tolerance No"
                        + " --log_level debug");

        assertThat(command.number("num_epochs")).isEqualTo(-1);
        assertThat(command.truth("use_async")).isTrue();
        assertThat(command.truth("need_task_manager")).isFalse();
        assertThat(command.flags())
                .containsEntry("task_fault_tolerance", "false")
                .containsEntry("log_level", "DEBUG");
    }

    @Test
    void the_last_release_supports_role_images_a_command_and_relaunch_limits() {
        ElasticDlCommand command = ElasticDlCommand.parse(
                RELEASE_1_0,
                "elasticdl train --job_name=a --image_name=a:1 --worker_image=w:1 --ps_image=p:1 --num_ps_pods=1"
                        + " --job_command='python -m train --epochs 3' --relaunch_on_worker_failure=4"
                        + " --ps_relaunch_max_num=2 --worker_pod_priority=0.5");

        assertThat(command.job())
                .isEqualTo(Job.named("a")
                        .image("a:1")
                        .master(master -> master.request("cpu=0.1,memory=1024Mi"))
                        .ps(
                                1,
                                ps -> ps.image("p:1")
                                        .command("/bin/bash", "-c", "python -m train --epochs 3")
                                        .relaunchLimit(2)
                                        .request("cpu=1,memory=4096Mi"))
                        .workers(
                                2,
                                workers -> workers.image("w:1")
                                        .command("/bin/bash", "-c", "python -m train --epochs 3")
                                        .relaunchLimit(4)
                                        .priority(Priority.fraction(0.5))
                                        .request("cpu=1,memory=4096Mi"))
                        .build());
        assertThat(command.words())
                .containsExactly(
                        "elasticdl",
                        "train",
                        "--job_name=a",
                        "--namespace=default",
                        "--image_name=a:1",
                        "--worker_image=w:1",
                        "--ps_image=p:1",
                        "--master_resource_request=cpu=100m,memory=1Gi",
                        "--num_ps_pods=1",
                        "--ps_resource_request=cpu=1,memory=4Gi",
                        "--ps_relaunch_max_num=2",
                        "--num_workers=2",
                        "--worker_resource_request=cpu=1,memory=4Gi",
                        "--worker_pod_priority=0.5",
                        "--relaunch_on_worker_failure=4",
                        "--job_command=python -m train --epochs 3");
    }

    @Test
    void environment_variables_may_hold_commas() {
        ElasticDlCommand command =
                ElasticDlCommand.parse(RELEASE_1_0, "elasticdl train --job_name=a --envs=\"A=1,B=x,y,C=,D=two words\"");

        assertThat(command.job().spec().defaults().env())
                .containsExactly(entry("A", "1"), entry("B", "x,y"), entry("C", ""), entry("D", "two words"));
        assertThat(command.words()).contains("--envs=A=1,B=x,y,C=,D=two words");
    }

    @Test
    void a_job_is_written_for_a_shell_and_reads_back() {
        Job job = tutorial().image("acme/mnist:1").env("A", "b c").build();
        ElasticDlCommand command = ElasticDlCommand.of(
                JULY_2020,
                TRAIN,
                job,
                Map.of("model_zoo", "/model_zoo", "model_def", "mnist.mnist.custom_model", "use_async", "yes"));

        assertThat(command).hasToString("""
                elasticdl train \\
                  --job_name=test-mnist \\
                  --namespace=default \\
                  --image_name=acme/mnist:1 \\
                  --master_resource_request=cpu=2,memory=2Gi \\
                  --master_resource_limit=cpu=2,memory=2Gi \\
                  --master_pod_priority=high \\
                  --num_ps_pods=2 \\
                  --ps_resource_request=cpu=2,memory=2Gi \\
                  --ps_resource_limit=cpu=2,memory=2Gi \\
                  --ps_pod_priority=high \\
                  --num_workers=4 \\
                  --worker_resource_request=cpu=2,memory=2Gi \\
                  --worker_resource_limit=cpu=2,memory=2Gi \\
                  --worker_pod_priority=low \\
                  --volume=mount_path=/data,claim_name=fileserver-claim \\
                  --envs='A=b c' \\
                  --model_zoo=/model_zoo \\
                  --model_def=mnist.mnist.custom_model \\
                  --use_async=true""");
        assertThat(ElasticDlCommand.parse(JULY_2020, command.toString())).isEqualTo(command);
        assertThat(command.losses()).isEmpty();
    }

    @Test
    void both_tutorials_are_written_as_commands_that_mean_the_same() {
        for (ElasticDlCommand command : List.of(
                ElasticDlCommand.parse(MARCH_2020, MARCH, PROJECT), ElasticDlCommand.parse(JULY_2020, JULY, PROJECT))) {
            assertThat(ElasticDlCommand.parse(command.era(), command.words())).isEqualTo(command);
            assertThat(ElasticDlCommand.parse(command.era(), command.toString()))
                    .isEqualTo(command);
            assertThat(ElasticDlCommand.of(command.era(), command.verb(), command.job(), command.flags()))
                    .isEqualTo(command);
        }
    }

    @Test
    void evaluation_and_prediction_are_commands_too() {
        ElasticDlCommand evaluate = ElasticDlCommand.parse(
                RELEASE_1_0, "elasticdl evaluate --job_name=a --validation_data=/v --checkpoint_dir_for_init=/c");
        ElasticDlCommand predict = ElasticDlCommand.parse(
                RELEASE_1_0, "elasticdl predict --job_name=a --prediction_data=/p --checkpoint_dir_for_init=/c");

        assertThat(evaluate.verb()).isEqualTo(EVALUATE);
        assertThat(evaluate.text("validation_data")).contains("/v");
        assertThat(predict.verb()).isEqualTo(PREDICT);
        assertThat(predict.text("prediction_outputs_processor")).contains("PredictionOutputsProcessor");
    }

    @Test
    void settings_without_a_flag_are_losses() {
        Job job = Job.named("a")
                .label("team", "vision")
                .image("a:1")
                .master(master -> master.port(7000).command("java", "-jar", "m.jar"))
                .workers(
                        2,
                        workers -> workers.elastic(1, 8)
                                .request("cpu=1")
                                .limit("memory=1Gi")
                                .relaunchLimit(3)
                                .restart(RestartPolicy.NEVER))
                .volume(Volume.claim("c", "/data").readOnly(true))
                .build();

        ElasticDlCommand command =
                ElasticDlCommand.of(JULY_2020, TRAIN, job, Map.of("model_zoo", "z", "model_def", "m.f"));

        assertThat(command.losses())
                .containsExactly(
                        "labels={team=vision}: ElasticDL has no flag for it",
                        "volumes=mount_path=/data,claim_name=c,read_only=true: ElasticDL mounts every volume for reading"
                                + " and writing",
                        "master.requests are missing: ElasticDL then requests cpu=0.1,memory=1024Mi",
                        "master.command=[java, -jar, m.jar]: ElasticDL has no flag for it",
                        "master.port=7000: ElasticDL has no flag for it",
                        "worker.elastic=1..8: ElasticDL has no flag for it",
                        "worker.restart=never: ElasticDL has no flag for it",
                        "worker.relaunchLimit=3: ElasticDL has no flag for it");
        assertThat(command.words())
                .contains("--worker_resource_request=cpu=1", "--worker_resource_limit=cpu=1,memory=1Gi");
    }

    @Test
    void limits_that_leave_out_a_resource_are_stricter_in_the_job() {
        ElasticDlCommand command =
                ElasticDlCommand.parse(RELEASE_1_0, "elasticdl train --job_name=a --worker_resource_limit=cpu=2");

        assertThat(command.job().spec().roles().get(1).template().limits())
                .contains(Resources.parse("cpu=2,memory=4Gi"));
        assertThat(command.losses())
                .containsExactly(
                        "--worker_resource_limit=cpu=2: ElasticDL leaves memory without a limit, the job limits"
                                + " it to the 4Gi of its request");
    }

    @Test
    void bytes_are_written_in_a_unit_that_elasticdl_and_kubernetes_accept() {
        // 1024000 bytes: the shortest text is 1024k, which ElasticDL does not read.
        ElasticDlCommand command = ElasticDlCommand.parse(
                RELEASE_1_0, "elasticdl train --job_name=a --worker_resource_request=memory=1000Ki");

        assertThat(command.words()).contains("--worker_resource_request=memory=1000Ki");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "-1", "-.5", "-x y", "--disable relaunch"})
    void a_value_may_begin_with_a_dash_as_in_argparse(String value) {
        ElasticDlCommand command = ElasticDlCommand.parse(
                ElasticDlVersion.JULY_2020,
                List.of("elasticdl", "train", "--job_name=a", "--model_zoo=z", "--model_def=m.f", "--output", value));

        assertThat(command.text("output")).contains(value);
    }
}
