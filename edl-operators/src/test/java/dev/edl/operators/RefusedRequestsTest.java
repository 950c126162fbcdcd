package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each rejected request of a job that an operator runs names the missing permission and how to grant it. */
@MockCluster
// The extension sets the fields.
@SuppressWarnings("NullAway.Init")
class RefusedRequestsTest {
    private static final CustomResourceKind TFJOB = CustomResourceKind.kubeflowTfJob();
    private static final Job JOB = Job.named("mnist")
            .namespace("test")
            .tensorflow()
            .image("mnist:1")
            .ps(1)
            .workers(2)
            .elastic(1, 4)
            .build();

    private KubernetesClient client;
    private KubernetesMockServer server;

    @BeforeEach
    void resources() {
        PlayedOperator.expect(server, TFJOB.context());
    }

    private void refuses(String method, String path, String verb, String group, String resource) {
        var request = server.expect();
        (switch (method) {
                    case "GET" -> request.get();
                    case "DELETE" -> request.delete();
                    case "PATCH" -> request.patch();
                    default -> request.post();
                })
                .withPath((group.isEmpty() ? "/api/v1" : "/apis/kubeflow.org/v1") + "/namespaces/test/" + path)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withReason("Forbidden")
                                .withMessage(resource + " \"mnist\" is forbidden: User \"jane\" cannot " + verb
                                        + " resource \"" + resource + "\" in API group \"" + group
                                        + "\" in the namespace \"test\"")
                                .build())
                .always();
    }

    private static void lacks(String verb, String resource, ThrowingCallable request) {
        String role = "edl-jane-" + resource.split("\\.", 2)[0] + "-" + verb;
        assertThatThrownBy(request)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageEndingWith("\nTo grant the permission, an administrator runs:\n$ kubectl create role " + role
                        + " --namespace test --verb=" + verb + " --resource=" + resource
                        + " && kubectl create rolebinding " + role + " --namespace test --role=" + role
                        + " --user=jane");
    }

    @Test
    void a_refused_create_is_reported_with_its_remedy() {
        refuses("POST", "tfjobs", "create", "kubeflow.org", "tfjobs");
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            lacks("create", "tfjobs.kubeflow.org", () -> executor.submit(JOB));
            lacks("create", "tfjobs.kubeflow.org", () -> executor.submit(JOB.plan(Profile.KUBEFLOW_V1)));
        }
    }

    @Test
    void a_refused_get_is_reported_with_its_remedy() {
        refuses("GET", "tfjobs/mnist", "get", "kubeflow.org", "tfjobs");
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            lacks("get", "tfjobs.kubeflow.org", () -> executor.attach("test", "mnist"));
            lacks("get", "tfjobs.kubeflow.org", () -> executor.delete("test", "mnist"));
        }
    }

    @Test
    void a_refused_list_of_pods_is_reported_with_its_remedy() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            executor.submit(JOB).close();
            String selector = TFJOB.pods().selector(JOB.plan(Profile.KUBEFLOW_V1)).entrySet().stream()
                    .map(Map.Entry::toString)
                    .collect(Collectors.joining(","));
            refuses(
                    "GET",
                    "pods?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8) + "&limit=500",
                    "list",
                    "",
                    "pods");
            lacks("list", "pods", () -> executor.attach("test", "mnist"));
        }
    }

    @Test
    void a_refused_patch_is_reported_with_its_remedy() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(JOB)) {
            refuses("PATCH", "tfjobs/mnist", "patch", "kubeflow.org", "tfjobs");
            refuses("DELETE", "tfjobs/mnist", "delete", "kubeflow.org", "tfjobs");
            lacks("patch", "tfjobs.kubeflow.org", () -> run.scale("worker", 3));
            lacks("patch", "tfjobs.kubeflow.org", run::suspend);
            lacks("patch", "tfjobs.kubeflow.org", run::resume);
            lacks("delete", "tfjobs.kubeflow.org", run::cancel);
            lacks("delete", "tfjobs.kubeflow.org", () -> executor.delete("test", "mnist"));
        }
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.attach("test", "mnist")) {
            refuses("GET", "tfjobs/mnist", "get", "kubeflow.org", "tfjobs");
            lacks("get", "tfjobs.kubeflow.org", run::resource);
        }
    }
}
