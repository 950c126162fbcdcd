package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdlCommandTest {
    private static final String PYTORCH = """
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata:
              name: mnist
            spec:
              pytorchReplicaSpecs:
                Worker:
                  replicas: 2
                  template:
                    spec:
                      containers:
                      - name: pytorch
                        image: registry.example/acme/mnist:1
            """;

    @TempDir
    private Path folder;

    @Test
    void a_plan_of_flags_is_the_plan_of_the_builder() {
        Edl plan = Edl.run("plan", "--name", "mnist", "--ps", "2", "--workers", "4", "--gpu", "1", "--priority", "low");

        Job job = Job.named("mnist")
                .priority("low")
                .ps(2, role -> {})
                .workers(4, role -> role.gpu(1))
                .build();
        assertThat(plan).isEqualTo(new Edl(0, job.plan() + System.lineSeparator(), ""));
    }

    @Test
    void commands_that_run_before_the_first_start_succeed() {
        assertThatCode(() -> StartupClassPreloader.main(new String[0])).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-V", "plan -V", "zoo init --version"})
    void each_command_prints_the_version_of_the_program(String args) {
        assertThat(Edl.run(args.split(" "))).isEqualTo(Edl.run("--version"));
        assertThat(Edl.run(args.split(" ")).out()).startsWith("edl ");
    }

    @Test
    void a_plan_of_a_file_has_the_flags_changes() throws IOException {
        Path file = Files.writeString(
                folder.resolve("job.yaml"),
                Job.named("mnist").image("a:1").ps(1).workers(2).build().toYaml());

        Edl plan = Edl.run("plan", "-f", file.toString(), "--image", "b:2", "--workers", "3", "-o", "yaml");

        Job job = Job.named("mnist").image("b:2").ps(1).workers(3).build();
        assertThat(plan.out()).isEqualTo(Manifests.of(job.plan()).toYaml());
        assertThat(plan.code()).isZero();
    }

    @Test
    void names_are_those_of_kubectl() {
        Edl plan = Edl.run("plan", "--name", "mnist", "--image", "a:1", "--workers", "2", "-o", "name");

        assertThat(plan.out().lines()).contains("job.batch/elasticdl-mnist-worker", "service/elasticdl-mnist-master");
    }

    @Test
    void json_is_a_list_of_the_objects() {
        Edl plan = Edl.run("plan", "--name", "mnist", "--image", "a:1", "--workers", "2", "-o", "json");

        assertThat(plan.out()).startsWith("{").contains("\"kind\" : \"List\"", "\"name\" : \"elasticdl-mnist-worker\"");
    }

    @Test
    void a_job_of_an_operator_has_the_operators_names() throws IOException {
        Path file = Files.writeString(folder.resolve("mnist.yaml"), PYTORCH);

        Edl plan = Edl.run("plan", "-f", file.toString(), "-o", "name");

        assertThat(plan.out().lines()).contains("service/mnist-worker-0", "job.batch/mnist-worker");
    }

    @Test
    void a_resource_becomes_a_job_and_back() throws IOException {
        Path file = Files.writeString(folder.resolve("mnist.yaml"), PYTORCH);

        Edl job = Edl.run("convert", "-f", file.toString(), "--to", "job");
        Path written = Files.writeString(folder.resolve("job.yaml"), job.out());
        Edl back = Edl.run("convert", "-f", written.toString(), "--to", "pytorchjob");

        assertThat(job.code()).isZero();
        assertThat(Job.fromYaml(job.out()).name()).isEqualTo("mnist");
        assertThat(back.code()).isZero();
        assertThat(back.out()).contains("kind: PyTorchJob", "replicas: 2", "image: registry.example/acme/mnist:1");
    }

    @Test
    void a_lost_setting_is_a_warning_and_an_error_under_strict() {
        String[] job = {
            "convert",
            "--to",
            "tfjob.v1alpha1.tensorflow.org",
            "--framework",
            "tensorflow",
            "--name",
            "mnist",
            "--image",
            "a:1",
            "--ps",
            "1",
            "--workers",
            "2"
        };
        Edl lax = Edl.run(job);

        String[] strict = java.util.Arrays.copyOf(job, job.length + 1);
        strict[job.length] = "--strict";
        Edl refused = Edl.run(strict);

        assertThat(lax.code()).isZero();
        assertThat(lax.err()).startsWith("warning: ").contains("cleanup = running: this operator removes nothing");
        assertThat(lax.out()).contains("kind: TfJob");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void a_simulation_prints_events_and_the_end() {
        Edl run = Edl.run(
                "simulate",
                "--name",
                "mnist",
                "--ps",
                "1",
                "--workers",
                "2",
                "--delete",
                "worker-0",
                "--exit",
                "master=0");

        assertThat(run.out()).contains("RELAUNCHED", "created elasticdl-mnist-worker-2", "job mnist SUCCEEDED");
        assertThat(run.code()).isZero();
    }

    @Test
    void a_failed_simulation_has_exit_code_1() {
        Edl run = Edl.run("simulate", "--name", "mnist", "--workers", "2", "--exit", "worker-0=70");

        assertThat(run.out()).contains("job mnist FAILED");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void a_quiet_simulation_runs_on() {
        Edl run = Edl.run("simulate", "--name", "mnist", "--workers", "2", "--for", "30s");

        assertThat(run.out()).endsWith("after 30s the job runs on" + System.lineSeparator());
        assertThat(run.code()).isZero();
    }

    @Test
    void flags_replace_the_settings_of_a_files_roles() throws IOException {
        Path file = Files.writeString(folder.resolve("mnist.yaml"), PYTORCH);

        Edl job = Edl.run(
                "convert",
                "-f",
                file.toString(),
                "--to",
                "job",
                "--image",
                "new/img:9",
                "--request",
                "cpu=1",
                "--gpu",
                "2",
                "--",
                "train",
                "@here");

        Job read = Job.fromYaml(job.out());
        assertThat(read.roles()).allSatisfy(role -> {
            assertThat(read.spec().effective(role).image()).contains("new/img:9");
            assertThat(read.spec().effective(role).command()).containsExactly("train", "@here");
        });
        assertThat(job.out()).contains("requests: cpu=1", "nvidia.com/gpu=2").doesNotContain("acme");
        assertThat(job.code()).isZero();
    }

    @Test
    void flags_keep_all_other_settings_of_a_files_roles() throws IOException {
        Job job = Job.named("mnist")
                .image("a:1")
                .ps(2, ps -> ps.env("A", "1").gpu(1))
                .workers(4, worker -> worker.priority("low").relaunchLimit(5).elastic(1, 8))
                .build();
        Path file = Files.writeString(folder.resolve("job.yaml"), job.toYaml());

        Edl changed = Edl.run("convert", "-f", file.toString(), "--to", "job", "--image", "b:2", "--env", "A=2");

        assertThat(Job.fromYaml(changed.out()))
                .isEqualTo(Job.named("mnist")
                        .image("b:2")
                        .env("A", "2")
                        .ps(2, ps -> ps.env("A", "2").gpu(1))
                        .workers(
                                4,
                                worker ->
                                        worker.priority("low").relaunchLimit(5).elastic(1, 8))
                        .build());
    }

    @Test
    void a_job_of_any_spelling_of_an_operator_has_its_profile() throws IOException {
        String tfJob = Edl.run(
                        "convert",
                        "--to",
                        "tfjob.v1alpha1.tensorflow.org",
                        "--framework",
                        "tensorflow",
                        "--image",
                        "a:1",
                        "--workers",
                        "2")
                .out();
        for (String kind : List.of("TfJob", "TFJob")) {
            Path file = Files.writeString(folder.resolve("tf.yaml"), tfJob.replace("kind: TfJob", "kind: " + kind));

            assertThat(Edl.run("plan", "-f", file.toString()).out()).contains("profile TFJOB_V1ALPHA1");
        }
    }

    @Test
    void options_of_pods_are_lost_in_a_job() throws IOException {
        Path file = Files.writeString(
                folder.resolve("mnist.yaml"),
                PYTORCH.replace("          containers:", "          nodeSelector: {disk: ssd}\n          containers:"));

        Edl lax = Edl.run("convert", "-f", file.toString(), "--to", "job");
        Edl strict = Edl.run("convert", "-f", file.toString(), "--to", "job", "--strict");

        assertThat(lax.err())
                .startsWith("warning: ")
                .contains("a job of EDL cannot hold pod options, so they are left out");
        assertThat(strict.code()).isEqualTo(1);
    }

    @Test
    void a_file_of_other_bytes_is_named() throws IOException {
        Path file = Files.write(folder.resolve("job.yaml"), new byte[] {'a', (byte) 0xff});

        assertThat(Edl.run("plan", "-f", file.toString()).err()).contains(file + " must be UTF-8 text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name: a\nroles: {worker: {replicas: 4}}\n", PYTORCH})
    void a_file_with_several_jobs_is_refused_with_their_number(String job) throws IOException {
        Path file = Files.writeString(folder.resolve("jobs.yaml"), job + "---\n" + job + "---\n" + job + "---\n");

        assertThat(Edl.run("plan", "-f", file.toString()))
                .isEqualTo(new Edl(
                        1,
                        "",
                        file + " must have one job, but has 3 documents; write each into a file of its own, and name"
                                + " one, for example -f first.yaml\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name: a\nroles: {worker: {replicas: 4}}\n", PYTORCH})
    void empty_documents_of_a_file_are_no_jobs(String job) throws IOException {
        Path file = Files.writeString(folder.resolve("job.yaml"), "---\n# A job\n---\n" + job + "---\n---\n");

        Edl run = Edl.run("plan", "-f", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void wrong_bounds_of_a_file_have_their_valid_form() throws IOException {
        Path file = Files.writeString(
                folder.resolve("job.yaml"), "name: a\nroles: {worker: {replicas: 4, elastic: {min: 5, max: 3}}}\n");

        assertThat(Edl.run("plan", "-f", file.toString()).err())
                .endsWith("elastic needs 1 <= min <= max, for example elastic: {min: 1, max: 8}; was elastic: {min: 5,"
                        + " max: 3}\n");
    }

    @Test
    void a_wrong_duration_has_one_example() {
        assertThat(Edl.run("submit", "--workers", "1", "--timeout", "5").err())
                .startsWith("Invalid value for option '--timeout': duration must be a positive number with its unit,"
                        + " was \"5\"; for example 30s or 2h\n");
    }

    @Test
    void explain_names_what_a_job_implies() {
        assertThat(Edl.run("explain", "--workers", "2").out())
                .contains("master", "or --framework tensorflow, --framework mxnet")
                .doesNotContain("queue");
    }

    @Test
    void explain_names_which_pods_a_queue_admits_together(@TempDir Path folder) throws IOException {
        Path job = Files.writeString(
                folder.resolve("job.yaml"),
                Job.named("m")
                        .image("i")
                        .workers(2)
                        .label("kueue.x-k8s.io/queue-name", "team-a")
                        .build()
                        .toYaml());

        assertThat(Edl.run("explain", "-f", job.toString()).out())
                .endsWith("\nqueue team-a: Kueue admits master x 1, worker x 2 together, and each further pod by"
                        + " itself\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                | a command is missing; for example edl plan -f job.yaml
            plna                              | unknown command "plna"; did you mean plan?
            plan --worker 3                   | unknown flag "--worker"; did you mean --workers?
            plan                              | the job is missing; name a file, for example -f job.yaml, or its settings, for example --ps 2 --workers 4
            plan -f none.yaml                 | --file must be a file, but none.yaml does not exist
            plan -f .                         | --file must be a file, but . is a directory
            plan --ps 2                       | worker is missing, which trains in an elasticdl job; add --workers 4
            plan --workers 0                  | worker.replicas must be at least 1, was 0
            plan --name a --gpu 2             | --gpu needs --workers, for example --workers 4 --gpu 2
            plan --workers 1 -o wide          | Invalid value for option '--output'
            plan --workers 1 --framework tf   | expected one of [elasticdl, tensorflow, mxnet, horovod, pytorch] (case-insensitive) but was 'tf'
            plan --workers 99999999999        | option '--workers': '99999999999' is too large; for example --workers 4
            data recordio                     | parameter: 'FOLDER'; for example mnist/train
            zoo none                          | edl zoo --help lists the commands.
            simulate --workers 1 --exit a     | --exit must be a replica and its exit code, was "a"; for example worker-1=137
            simulate --workers 1 --for soon   | duration must be a positive number with its unit, was "soon"; for example 30s or 2h
            simulate --workers 1 --for PT-1S  | duration must be a positive number with its unit, was "PT-1S"
            simulate --workers 1 --exit master=999 | --exit must be a replica and its exit code, was "master=999"
            convert --to tfjob --workers 1    | kind "tfjob" is that of several resources; name one of tfjob.v1beta1.mlkube.io
            convert --to pytorchjb --workers 1| kind must be that of a custom resource, was "pytorchjb"; did you mean pytorchjob?
            plan --workers 1 --env A=1 --env A=2 | --env must have each name once, was "A=1" and "A=2"
            scale mnist worker=2 ps=1 worker=3   | ROLE=N must have each name once, was "worker=2" and "worker=3"
            logs mnist --tail -5              | --tail must be at least 0, or -1 for all lines, was -5; for example --tail 100
            plan --name m                     | roles are missing; for example --ps 2 --workers 4
            plan --workers 1 --priority 0.5   | for example --priority high
            plan --framework horovod --workers 2 | command that no other replica runs; add roles: {launcher: {command: [sh, -c, "exec horovodrun $EDL_HOROVODRUN python train.py"]}} to its file
            simulate --workers 1 --nodes 0    | a cluster needs a node to run anything; for example --nodes 3 --node cpu=8,memory=30Gi
            plan --env A                      | option '--env' (NAME=VALUE) should be in KEY=VALUE format but was A; for example --env BATCH_SIZE=64
            plan --workers x                  | : 'x' is not a whole number; for example --workers 4
            convert --workers 2               | Missing required option: '--to=KIND'; for example --to pytorchjob
            scale mnist worker=x              | Invalid value for ROLE=N: 'x' is not a whole number; for example worker=6
            scale mnist worker                | Value for ROLE=N should be in KEY=VALUE format but was worker; for example worker=6
            scale mnist                       | Missing required parameter: 'ROLE=N'; for example worker=6
            logs mnist --tail x               | is not a whole number; for example --tail 100
            submit --workers 2 --timeout      | Missing required parameter for option '--timeout' (DURATION); for example --timeout 2h
            simulate --workers 2 --for        | Missing required parameter for option '--for' (DURATION); for example --for 10m
            submit --workers 1 --detach       | --detach and --driver-image belong together
            """)
    void a_mistake_has_one_line_with_a_valid_form(String args, String message) {
        Edl run = Edl.run(args.isEmpty() ? new String[0] : args.split(" +"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains(message)
                .doesNotContain("Exception", "\tat ")
                .doesNotContainPattern("\\w\\(");
    }
}
