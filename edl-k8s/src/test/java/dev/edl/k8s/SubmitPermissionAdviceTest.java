package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.exec.ExecException;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@MockCluster
class SubmitPermissionAdviceTest {
    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static final Job JOB = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .workers(1)
            .tensorflow()
            .build();

    private void lacks(String right) {
        SubmitReviews.answer(server, "jane", review -> !review.contains(right));
    }

    @Test
    void a_submit_without_permission_has_the_command_that_grants_it() {
        lacks("\"configmaps\",\"verb\":\"create\"");
        Refused.create(
                        server,
                        "configmaps",
                        403,
                        "Forbidden",
                        "configmaps is forbidden: User \"jane\" cannot create resource \"configmaps\" in API group \"\" in the"
                                + " namespace \"test\"")
                .always();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.submit(JOB))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(403))
                    .hasMessageStartingWith("job \"mnist\" was not submitted: ")
                    .hasMessageContaining("User \"jane\" cannot create resource \"configmaps\"")
                    .hasMessageEndingWith(
                            "\nTo grant the missing permissions, an administrator of namespace \"test\" runs:\n"
                                    + "$ kubectl create role edl-mnist-configmaps-create --namespace test --verb=create"
                                    + " --resource=configmaps && kubectl create rolebinding edl-mnist-configmaps-create"
                                    + " --namespace test --role=edl-mnist-configmaps-create --user=jane");
        }
    }

    @Test
    void a_submit_that_a_quota_refuses_keeps_its_message() {
        lacks("\"configmaps\"");
        Refused.create(server, "configmaps", 403, "Forbidden", "configmaps is forbidden: exceeded quota: few")
                .always();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.submit(JOB))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("exceeded quota: few")
                    .hasMessageNotContaining("kubectl");
        }
    }

    private void refuses(String method, String path, String verb, String resource) {
        Status status = new StatusBuilder()
                .withCode(403)
                .withReason("Forbidden")
                .withMessage("it is forbidden: User \"jane\" cannot " + verb + " resource \"" + resource
                        + "\" in API group \"\" in the namespace \"test\"")
                .build();
        var request = server.expect();
        (switch (method) {
                    case "GET" -> request.get();
                    case "DELETE" -> request.delete();
                    default -> request.post();
                })
                .withPath("/api/v1/namespaces/test/" + path)
                .andReturn(403, status)
                .always();
    }

    private static String line(String verb, String resource) {
        String role = "edl-jane-" + resource.replace('/', '-') + "-" + verb;
        return "kubectl create role " + role + " --namespace test --verb=" + verb + " --resource=" + resource
                + " && kubectl create rolebinding " + role + " --namespace test --role=" + role + " --user=jane";
    }

    @Test
    void a_refused_delete_or_attach_has_the_command_that_grants_it() {
        refuses("DELETE", "configmaps/edl-job-mnist", "delete", "configmaps");
        refuses("GET", "configmaps/edl-job-mnist", "get", "configmaps");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.delete("test", "mnist"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageEndingWith("\n$ " + line("delete", "configmaps"));
            assertThatThrownBy(() -> executor.attach("test", "mnist")).hasMessageEndingWith(line("get", "configmaps"));
            assertThatThrownBy(() -> executor.attach(JOB.plan())).hasMessageEndingWith(line("get", "configmaps"));
            assertThatThrownBy(() -> executor.handOver("test", "mnist", DriverPod.of("edl:1")))
                    .hasMessageEndingWith(line("get", "configmaps"));
        }
    }

    private KubernetesRun running(KubernetesExecutor executor) {
        KubernetesRun run = executor.submit(
                Job.of(JOB.spec()).toBuilder().workers(1).elastic(1, 4).build());
        Polled.until(client.pods().inNamespace("test").withName("elasticdl-mnist-worker-0"), there -> true);
        client.pods()
                .inNamespace("test")
                .withName("elasticdl-mnist-worker-0")
                .editStatus(pod -> new PodBuilder(pod)
                        .editOrNewStatus()
                        .withPhase("Running")
                        .addNewContainerStatus()
                        .withName("tensorflow")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build());
        Polled.until("it runs", () -> run.status().phase().equals(JobPhase.RUNNING));
        return run;
    }

    @Test
    void a_refused_exec_or_connection_has_the_command_that_grants_it() {
        lacks("\"subresource\":");
        refuses(
                "GET",
                "pods/elasticdl-mnist-worker-0/exec?command=true&container=tensorflow&stdout=true&stderr=true",
                "get",
                "pods/exec");
        refuses("GET", "pods/elasticdl-mnist-worker-0/portforward?ports=80", "get", "pods/portforward");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = running(executor)) {
            assertThatThrownBy(() -> run.exec("worker-0", Duration.ofSeconds(10), "true"))
                    .isInstanceOf(ExecException.class)
                    .hasMessage("\"true\" in pod elasticdl-mnist-worker-0: the API server answers 403\nTo grant the"
                            + " permission, an administrator runs:\n$ " + both("pods/exec"));
            assertThatThrownBy(() -> run.connect("worker-0", 80))
                    .isInstanceOf(IOException.class)
                    .hasMessage("cannot connect to elasticdl-mnist-worker-0:80: the API server answers 403\nTo grant"
                            + " the permission, an administrator runs:\n$ " + both("pods/portforward"));
        }
    }

    private static String both(String resource) {
        return line("get", resource).replace("--verb=get", "--verb=get,create");
    }

    @Test
    void a_command_that_an_admission_policy_refuses_names_no_permission() {
        lacks("nothing");
        refuses(
                "GET",
                "pods/elasticdl-mnist-worker-0/exec?command=true&container=tensorflow&stdout=true&stderr=true",
                "get",
                "pods/exec");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = running(executor)) {
            assertThatThrownBy(() -> run.exec("worker-0", Duration.ofSeconds(10), "true"))
                    .isInstanceOf(ExecException.class)
                    .hasMessage("\"true\" in pod elasticdl-mnist-worker-0: the API server answers 403");
        }
    }

    @Test
    void refused_pods_and_logs_have_the_command_that_grants_them() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = running(executor)) {
            refuses("POST", "pods", "create", "pods");
            refuses(
                    "GET",
                    "pods/elasticdl-mnist-worker-0/log?container=tensorflow&timestamps=true&tailLines=10",
                    "get",
                    "pods/log");
            run.scale("worker", 2);

            Polled.until(
                    client.pods().inNamespace("test").withName("elasticdl-mnist-worker-0"),
                    there -> !run.status().requestFailures().isEmpty()
                            && run.status().phase().equals(JobPhase.RUNNING));
            assertThat(run.status().requestFailures().get(0).cause().advice().orElseThrow())
                    .startsWith("grant the permission: " + line("create", "pods"));
            assertThatThrownBy(() -> run.log("worker-0", 10)).hasMessageEndingWith("\n$ " + line("get", "pods/log"));
        }
    }

    @Test
    void a_submit_that_waits_for_the_first_answer_does_not_lock_the_executor() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/test/pods")
                .andReply(422, request -> {
                    asked.countDown();
                    await(answer);
                    return new StatusBuilder()
                            .withCode(422)
                            .withReason("Invalid")
                            .withMessage("Pod is invalid")
                            .build();
                })
                .always();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            Future<KubernetesRun> submit = threads.submit(() -> executor.submit(JOB));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

            assertThat(threads.submit(executor::jobs).get(3, TimeUnit.SECONDS)).hasSize(1);
            answer.countDown();
            assertThatThrownBy(submit::get).hasRootCauseInstanceOf(KubernetesClientException.class);
            assertThat(executor.jobs()).isEmpty();
            assertThat(client.configMaps()
                            .inNamespace("test")
                            .withName("edl-job-mnist")
                            .get())
                    .isNull();
        } finally {
            answer.countDown();
            threads.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
