package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the requests of preflight with the permissions of {@link SubmitterRole#preflight}. */
@MockCluster
class PreflightPermissionsTest {
    private static final PodOptions OPTIONS = PodOptions.builder()
            .priorityClass("high", 1000)
            .apiAccess("", "pods", "patch")
            .tensorBoard(TensorBoard.of("/logs").image("x"))
            .secretEnv("KEY", "s3", "secret")
            .imagePullSecret("registry")
            .volume(
                    new VolumeBuilder()
                            .withName("data")
                            .withNewPersistentVolumeClaim("data", false)
                            .build(),
                    "/data",
                    false)
            .pod(pod ->
                    pod.edit().editSpec().withRuntimeClassName("kata").endSpec().build())
            .build();

    private static final Job JOB = Job.named("mnist")
            .namespace("team")
            .image("x")
            .elasticdl()
            .env("EDL_TOKEN_FILE", "/run/edl/token")
            .master()
            .priority("high")
            .ps(1)
            .priority("low")
            .workers(1)
            .request("cpu=100")
            .build();

    // The extension sets them.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    /** Creates objects that lead to further requests: a pending claim, and refused dry runs of pods. */
    @BeforeEach
    void a_cluster() {
        TeamCluster.create(client, server, review -> true);
        client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withStorageClassName("slow")
                        .endSpec()
                        .withNewStatus()
                        .withPhase("Pending")
                        .endStatus()
                        .build())
                .create();
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/team/pods?dryRun=All")
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withMessage("exceeded quota")
                                .build())
                .always();
    }

    /** Returns a report and adds each request, as method and path. */
    private PreflightReport report(Set<String> requests) throws InterruptedException {
        while (server.takeRequest(1, TimeUnit.MILLISECONDS) != null) {}
        PreflightReport report = Preflight.of(client, JOB, OPTIONS);
        for (var request = server.takeRequest(1, TimeUnit.MILLISECONDS);
                request != null;
                request = server.takeRequest(1, TimeUnit.MILLISECONDS)) {
            requests.add(request.getMethod() + " " + request.getPath());
        }
        return report;
    }

    @Test
    void each_request_of_the_preflight_is_granted_and_each_refused_read_is_not_checked() throws InterruptedException {
        SubmitterRole role = SubmitterRole.of(JOB.plan(), OPTIONS).preflight();
        Set<String> requests = new LinkedHashSet<>();
        int notChecked = report(requests).notChecked().size();

        assertThat(requests).hasSizeGreaterThan(20);
        assertThat(requests)
                .filteredOn(request -> !isGranted(request, role))
                .as("no role reads a token")
                .singleElement()
                .asString()
                .startsWith("GET /api/v1/namespaces/team/secrets/edl-token-mnist-");
        for (String request : requests) {
            if (request.startsWith("GET ") && !isDiscovery(request)) {
                server.expect()
                        .get()
                        .withPath(request.substring(4))
                        .andReturn(403, new StatusBuilder().withCode(403).build())
                        .once();
                assertThat(report(new LinkedHashSet<>()).notChecked())
                        .as(request)
                        .hasSizeGreaterThan(notChecked);
            }
        }
    }

    /** Returns the parts of a request's path after the API group and version. */
    private static List<String> path(String request) {
        List<String> parts = Arrays.asList(URI.create(request.substring(request.indexOf(' ') + 1))
                .getPath()
                .substring(1)
                .split("/"));
        return parts.subList(Math.min(parts.size(), parts.get(0).equals("api") ? 2 : 3), parts.size());
    }

    private static boolean isDiscovery(String request) {
        return path(request).isEmpty();
    }

    /** Roles of Kubernetes allow discovery and reviews of oneself to every authenticated account. */
    private static boolean isGranted(String request, SubmitterRole role) {
        List<String> path = path(request);
        if (path.isEmpty() || path.get(0).startsWith("selfsubject")) {
            return true;
        }
        List<PolicyRule> rules = new ArrayList<>(role.clusterRules());
        if (path.get(0).equals("namespaces")) {
            if (path.get(1).equals("team")) {
                rules.addAll(role.rules());
            }
            path = path.size() > 2 ? path.subList(2, path.size()) : path;
        }
        String[] parts = request.substring(request.indexOf(' ') + 2).split("/");
        String group = parts[0].equals("api") ? "" : parts[1];
        String resource = path.get(0);
        List<String> name = path.subList(1, path.size());
        String verb = request.startsWith("POST ") ? "create" : name.isEmpty() ? "list" : "get";
        return rules.stream()
                .anyMatch(rule -> rule.getApiGroups().contains(group)
                        && rule.getResources().contains(resource)
                        && rule.getVerbs().contains(verb)
                        && (rule.getResourceNames().isEmpty()
                                || (rule.getResourceNames().containsAll(name) && !name.isEmpty())));
    }
}
