package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.cli.cluster.DriverlessNotice;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.AppliedRequests;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@MockCluster
class ClusterCommandsTest {
    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void write_a_kubeconfig() throws IOException {
        Edl.kubeconfig(client, directory);
    }

    private int edl(String... args) {
        return EdlCommand.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Stream.concat(
                                Arrays.stream(args),
                                Stream.of(
                                        "--kubeconfig",
                                        directory.resolve("config").toString()))
                        .toArray(String[]::new));
    }

    private static Job job(String name) {
        return job(name, Map.of());
    }

    private static Job job(String name, Map<String, String> labels) {
        return Job.named(name)
                .namespace("team")
                .image("mnist:1")
                .master()
                .workers(2)
                .elastic(1, 4)
                .labels(labels)
                .build();
    }

    private String token() {
        return String.valueOf(client.configMaps()
                .inNamespace("team")
                .withName("edl-job-mnist")
                .get()
                .getData()
                .get("driver"));
    }

    /** Starts the job's master and waits until its driver has recorded that. */
    private void start(KubernetesExecutor executor) {
        var master = client.pods().inNamespace("team").withName("elasticdl-mnist-master");
        Polled.until(master, there -> true);
        master.editStatus(pod -> pod.edit()
                .withNewStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName("elasticdl")
                .withNewState()
                .withRunning(new ContainerStateRunning())
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
        Polled.until(
                "the record has the running master",
                () -> executor.find("team", "mnist").recorded().roles().get(0).running() == 1);
    }

    @Test
    void a_submit_that_gives_up_names_how_the_job_is_driven_on() throws IOException {
        Path file =
                Files.writeString(directory.resolve("job.yaml"), job("mnist").toYaml());

        assertThat(edl("submit", "-f", file.toString(), "--timeout", "PT0.001S"))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains("job mnist runs on in namespace team without a driver")
                .contains("edl attach mnist -n team drives it, edl delete mnist -n team removes it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {roles: {worker: {replicas: 1}}}                         | team
            {roles: {worker: {replicas: 1}}, namespace: default}     | default
            {roles: {worker: {replicas: 1}}, namespace: other}       | other
            {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: mnist}, spec: {pytorchReplicaSpecs: \
            {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}}}} | team
            """)
    void a_job_without_a_namespace_has_that_of_the_context(String job, String namespace) throws IOException {
        Path file = Files.writeString(directory.resolve("job.yaml"), job);

        edl("submit", "-f", file.toString(), "--name", "mnist", "--image", "a:1", "--timeout", "PT0.001S");

        assertThat(out.toString()).contains("job mnist submitted to namespace " + namespace + "\n");
    }

    @Test
    void a_submit_of_a_job_that_exists_names_the_commands() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));

            assertThat(edl("submit", "--name", "mnist", "--workers", "1", "--image", "a:1", "-n", "team"))
                    .isEqualTo(1);

            assertThat(err)
                    .hasToString("job \"mnist\" is in namespace \"team\" already; edl attach mnist -n team takes it"
                            + " over, edl delete mnist -n team removes it\n");
        }
    }

    @Test
    void a_submit_whose_job_was_taken_over_has_a_driver() throws Exception {
        try (KubernetesExecutor first = KubernetesExecutor.using(client);
                KubernetesRun run = first.submit(job("mnist"));
                KubernetesExecutor second = KubernetesExecutor.using(client)) {
            second.attach("team", "mnist");

            try {
                run.suspend();
            } catch (IllegalStateException e) {
                // Its driver has noticed the takeover already.
                assertThat(run.lost()).isTrue();
            }
            assertThatThrownBy(() -> DriverlessNotice.await(run, Duration.ofMinutes(1), new PrintWriter(err, true)))
                    .isInstanceOf(JobLostException.class);

            assertThat(err.toString()).isEmpty();
        }
    }

    @Test
    void status_shows_a_job_of_the_contexts_namespace_and_its_driver() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            start(driver);

            assertThat(edl("status", "mnist")).isZero();

            assertThat(out.toString().replaceAll("\\d+s\n", "AGE\n"))
                    .isEqualTo("job mnist RUNNING: master 1/1 running; worker 0/2 running, 2 pending\n"
                            + "NAME                       READY   STATUS    RESTARTS   AGE\n"
                            + "elasticdl-mnist-master     1/1     Running   0          AGE\n"
                            + "elasticdl-mnist-worker-0   0/1     Pending   0          AGE\n"
                            + "elasticdl-mnist-worker-1   0/1     Pending   0          AGE\n"
                            + "driven by a program, " + token()
                            + "; the record does not show whether it still runs\n");
            assertThat(run.lost()).isFalse();
        }
    }

    @Test
    void status_has_the_queue_of_a_job() {
        Map<String, String> label = Map.of("kueue.x-k8s.io/queue-name", "team-a");
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist", label));
            start(driver);

            assertThat(edl("status", "mnist")).isZero();
            assertThat(out.toString())
                    .contains("\nqueue team-a\n  LocalQueue \"team-a\" is missing\ndriven by a program, ");

            out.getBuffer().setLength(0);
            assertThat(edl("status", "mnist", "-o", "yaml")).isZero();
            assertThat(out.toString()).contains("""
                            queue:
                              name: "team-a"
                              problems:
                              - "LocalQueue \\"team-a\\" is missing"
                              admissions: []
                            """);
        }
    }

    @Test
    void status_lists_the_jobs_of_a_namespace() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            driver.submit(job("cifar"));
            start(driver);

            assertThat(edl("status")).isZero();
            assertThat(out.toString().replaceAll("(\\d+s|<unknown>)\n", "AGE\n"))
                    .isEqualTo("""
                            NAME    PHASE     RUNNING   AGE
                            cifar   PENDING   0/3       AGE
                            mnist   RUNNING   1/3       AGE
                            """);

            out.getBuffer().setLength(0);
            assertThat(edl("status", "-o", "name")).isZero();
            assertThat(out).hasToString("job/cifar\njob/mnist\n");

            out.getBuffer().setLength(0);
            assertThat(edl("status", "job/mnist", "-o", "name")).isZero();
            assertThat(out).hasToString("job/mnist\n");

            assertThat(edl("status", "-n", "other")).isZero();
            assertThat(err).hasToString("namespace \"other\" has no jobs\n");
        }
    }

    @Test
    void status_is_printed_as_yaml_and_json() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            start(driver);

            assertThat(edl("status", "mnist", "-o", "yaml")).isZero();
            assertThat(out.toString()).startsWith("name: \"mnist\"\nnamespace: \"team\"\nphase: \"RUNNING\"\n");

            out.getBuffer().setLength(0);
            assertThat(edl("status", "mnist", "-o", "json")).isZero();
            assertThat(out.toString()).startsWith("{\n  \"name\" : \"mnist\",\n  \"namespace\" : \"team\",\n");
        }
    }

    @Test
    void a_watch_ends_with_the_job() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            run.cancel();
            Polled.until(
                    "the job is cancelled",
                    () -> driver.find("team", "mnist").recorded().phase().ended());

            assertThat(edl("status", "mnist", "--watch")).isZero();
            assertThat(out.toString()).startsWith("job mnist CANCELLED: cancelled on request\n");
        }
    }

    @Test
    void a_missing_job_is_an_error_that_names_its_record() {
        assertThat(edl("status", "mnist")).isEqualTo(1);
        assertThat(edl("delete", "mnist")).isEqualTo(1);
        assertThat(edl("logs", "mnist")).isEqualTo(1);
        String missing = "job \"mnist\" is not in namespace \"team\"; a job that was submitted there has a ConfigMap"
                + " edl-job-mnist\n";
        assertThat(err).hasToString(missing.repeat(3));
    }

    private void log(String pod, String query, int code, String text) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/team/pods/elasticdl-mnist-" + pod + "/log?container=elasticdl&" + query)
                .andReturn(code, text)
                .always();
    }

    @Test
    void logs_prints_the_leaders_lines_as_they_are() {
        log("master", "timestamps=true&tailLines=2", 200, "2026-01-31T12:00:00.1Z a\n2026-01-31T12:00:00.2Z b\n");
        log("master", "timestamps=true&tailLines=1", 200, "2026-01-31T12:00:00.2Z b\n");
        log(
                "master",
                "timestamps=true&tailLines=" + Integer.MAX_VALUE,
                200,
                "2026-01-31T12:00:00.1Z a\n2026-01-31T12:00:00.2Z b\n2026-01-31T12:00:00.3Z c\n");
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            start(driver);

            assertThat(edl("logs", "mnist", "--tail", "2")).isZero();
            assertThat(out).hasToString("a\nb\n");

            out.getBuffer().setLength(0);
            assertThat(edl("logs", "mnist", "--tail=0")).isZero();
            assertThat(out.toString()).isEmpty();

            assertThat(edl("logs", "mnist", "--tail", "-1")).isZero();
            assertThat(out).hasToString("a\nb\nc\n");

            assertThat(edl("logs", "mnist", "worker-9")).isEqualTo(1);
            assertThat(err).hasToString("job \"mnist\" has no replica \"worker-9\"; the nearest is \"worker-0\"\n");
        }
    }

    @Test
    void a_log_that_may_not_be_followed_is_an_error_without_a_stack_trace() {
        log("master", "follow=true&timestamps=true", 403, "pods \"elasticdl-mnist-master\" is forbidden");
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            start(driver);

            assertThat(edl("logs", "mnist", "master", "-f")).isEqualTo(1);
            assertThat(err)
                    .hasToString("the log of pod elasticdl-mnist-master cannot be read: 403 pods"
                            + " \"elasticdl-mnist-master\" is forbidden\n");
        }
    }

    @Test
    void scale_asks_the_program_that_drives_the_job() throws InterruptedException {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"));
                AppliedRequests requests = new AppliedRequests(run)) {
            assertThat(edl("scale", "mnist", "worker=3", "--timeout", "PT1M")).isZero();

            assertThat(out).hasToString("job mnist: worker scaled to 3\n");
            assertThat(run.status().roles().get(1).desired()).isEqualTo(3);
            assertThat(run.lost()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            master=1  | master is not elastic and keeps its number of replicas, 1, was 1; no role is scaled
            worker=9  | worker can be scaled between 1 and 4, was 9; no role is scaled
            """)
    void a_scale_with_a_mistake_sends_no_request(String mistake, String message) {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            String[] roles = mistake.startsWith("worker") ? new String[] {mistake} : new String[] {"worker=3", mistake};

            assertThat(edl(Stream.concat(Stream.of("scale", "mnist"), Stream.of(roles))
                            .toArray(String[]::new)))
                    .isEqualTo(1);

            assertThat(err).hasToString("job \"mnist\": " + message + "\n");
            assertThat(client.configMaps()
                            .inNamespace("team")
                            .withName("edl-job-mnist")
                            .get()
                            .getData())
                    .doesNotContainKey("requests");
        }
    }

    @Test
    void a_scale_that_no_driver_answers_names_attach() {
        try (KubernetesExecutor gone = KubernetesExecutor.using(client)) {
            gone.submit(job("mnist"));
        }

        assertThat(edl("scale", "mnist", "worker=3", "--timeout", "PT0.001S")).isEqualTo(1);

        assertThat(err.toString())
                .endsWith("The request stays in ConfigMap edl-job-mnist, and the next driver applies it:"
                        + " edl attach mnist -n team\n");
    }

    @Test
    void cancel_ends_a_job_whose_status_stays() throws InterruptedException {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                AppliedRequests requests = new AppliedRequests(driver.submit(job("mnist")))) {
            assertThat(edl("cancel", "mnist", "--timeout", "1m")).isZero();
            assertThat(edl("status", "mnist", "-o", "yaml")).isZero();

            assertThat(out.toString())
                    .startsWith("job mnist cancelled in namespace team\n")
                    .contains("phase: \"CANCELLED\"\nmessage: \"cancelled on request\"\n");
            assertThat(edl("cancel", "mnist")).isEqualTo(1);
            assertThat(err).hasToString("job \"mnist\" has ended: CANCELLED, cancelled on request\n");
        }
    }

    @Test
    void delete_removes_the_job_of_another_program() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));

            assertThat(edl("delete", "mnist")).isZero();

            assertThat(out).hasToString("job mnist deleted from namespace team\n");
            assertThat(client.configMaps()
                            .inNamespace("team")
                            .withName("edl-job-mnist")
                            .get())
                    .isNull();
        }
    }
}
