package dev.edl.operators;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Acts as an operator in fabric8's mock, only on the test's request. */
final class PlayedOperator {
    private final KubernetesClient client;
    private final CustomResourceKind resource;
    private final JobPlan plan;

    PlayedOperator(KubernetesClient client, CustomResourceKind resource, JobPlan plan) {
        this.client = client;
        this.resource = resource;
        this.plan = plan;
    }

    /** The mock accepts only resources that it knows. */
    static void expect(KubernetesMockServer server, ResourceDefinitionContext resource) {
        server.expectCustomResource(new CustomResourceDefinitionContext.Builder()
                .withGroup(resource.getGroup())
                .withVersion(resource.getVersion())
                .withKind(resource.getKind())
                .withPlural(resource.getPlural())
                .withScope("Namespaced")
                .build());
    }

    Resource<GenericKubernetesResource> object() {
        return client.genericKubernetesResources(resource.context())
                .inNamespace(plan.namespace())
                .withName(plan.name());
    }

    /** Returns the resource's value at a path of keys. */
    static String at(GenericKubernetesResource object, String... path) {
        @Nullable Object found = object.getAdditionalProperties();
        for (String key : path) {
            found = found instanceof Map<?, ?> map && map.containsKey(key) ? map.get(key) : "nothing";
        }
        return String.valueOf(found);
    }

    void status(Map<String, ?> status) {
        object().editStatus(found -> {
            found.setAdditionalProperty("status", new TreeMap<>(status));
            return found;
        });
    }

    /** Returns a status of Kubeflow's kinds with one true condition. */
    void condition(String type, String message) {
        status(Map.of("conditions", List.of(Map.of("type", type, "status", "True", "message", message))));
    }

    void pod(String role, int index) {
        ReplicaPlan replica = plan.replica(role, index);
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(replica.name())
                        .withNamespace(plan.namespace())
                        .withLabels(replica.labels())
                        .withCreationTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    void phase(String role, int index, String phase) {
        edit(role, index, pod -> pod.editOrNewStatus().withPhase(phase).endStatus());
    }

    void running(String role, int index) {
        edit(
                role,
                index,
                pod -> pod.editOrNewStatus()
                        .withPhase("Running")
                        .addNewContainerStatus()
                        .withName("main")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .endStatus());
    }

    void failed(String role, int index, int code) {
        edit(
                role,
                index,
                pod -> pod.editOrNewStatus()
                        .withPhase("Failed")
                        .addNewContainerStatus()
                        .withName("main")
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withReason("Error")
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus());
    }

    private void edit(String role, int index, UnaryOperator<PodBuilder> change) {
        client.pods()
                .inNamespace(plan.namespace())
                .withName(plan.replica(role, index).name())
                .editStatus(pod -> change.apply(new PodBuilder(pod)).build());
    }
}
