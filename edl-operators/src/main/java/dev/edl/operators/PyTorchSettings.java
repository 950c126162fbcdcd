package dev.edl.operators;

import dev.edl.env.TorchrunEnv;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds the settings of an elastic PyTorch plan that the operator does not set to the plan's PyTorchJob. These are the
 * limit of restarts, and the environment variable that current PyTorch releases need to admit a node.
 */
final class PyTorchSettings {
    private static final String RESTARTS = "PET_MAX_RESTARTS";

    private PyTorchSettings() {}

    /** Returns the PyTorchJob with the settings of its plan. */
    static ResourceWriteResult complete(ResourceWriteResult result, JobPlan plan) {
        GenericKubernetesResource object = result.resource().toKubernetes();
        Map<String, Object> spec = map(object.getAdditionalProperties().get("spec"));
        List<ConversionLoss> losses = new ArrayList<>(result.losses());
        for (RolePlan role : plan.roles()) {
            Map<String, String> env = plan.replica(role.type(), 0, 0).env();
            String restarts = env.get(RESTARTS);
            if (restarts != null) {
                map(spec.get("elasticPolicy")).put("maxRestarts", Integer.valueOf(restarts));
                remove(container(spec, role), RESTARTS)
                        .ifPresent(own -> losses.add(loss(role, RESTARTS, own, OperatorEnv.WHY)));
            }
            String own = env.get(TorchrunEnv.OWN_STORE);
            if (own != null) {
                Map<String, Object> container = container(spec, role);
                remove(container, TorchrunEnv.OWN_STORE)
                        .filter(before -> !before.equals(own))
                        .ifPresent(before -> losses.add(loss(
                                role,
                                TorchrunEnv.OWN_STORE,
                                before,
                                "the plan sets it, because a node that joins later would otherwise hang")));
                add(container, TorchrunEnv.OWN_STORE, own);
            }
        }
        return new ResourceWriteResult(CustomObject.of(object), losses);
    }

    private static ConversionLoss loss(RolePlan role, String name, String value, String why) {
        return ConversionLoss.of(role.type() + ".env." + name, value, why);
    }

    /**
     * Removes an environment variable from the container and returns its value; empty when the container has no
     * variable of this name.
     */
    private static Optional<String> remove(Map<String, Object> container, String name) {
        if (!(container.get("env") instanceof List<?> there)) {
            return Optional.empty();
        }
        Optional<? extends Map<String, Object>> found = there.stream()
                .map(PyTorchSettings::map)
                .filter(entry -> name.equals(entry.get("name")))
                .findFirst();
        if (found.isPresent()) {
            List<?> others = there.stream()
                    .filter(entry -> !name.equals(map(entry).get("name")))
                    .toList();
            if (others.isEmpty()) {
                container.remove("env");
            } else {
                container.put("env", others);
            }
        }
        return found.map(entry -> String.valueOf(entry.getOrDefault("value", entry.get("valueFrom"))));
    }

    /** Returns the training container of a role's pod template: the first one. */
    private static Map<String, Object> container(Map<String, Object> spec, RolePlan role) {
        String id = role.type().id();
        String key = id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1);
        Map<String, Object> pod =
                map(map(map(map(spec.get("pytorchReplicaSpecs")).get(key)).get("template"))
                        .get("spec"));
        return pod.get("containers") instanceof List<?> containers ? map(containers.get(0)) : new LinkedHashMap<>();
    }

    private static void add(Map<String, Object> container, String name, String value) {
        List<Object> env = new ArrayList<>();
        if (container.get("env") instanceof List<?> there) {
            env.addAll(there);
        }
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put("value", value);
        env.add(entry);
        container.put("env", env);
    }

    /**
     * Returns a value of the resource as a map that the caller may change, as maps in the Kubernetes client's objects
     * are mutable. Returns a new empty map for any other value.
     */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : new LinkedHashMap<>();
    }
}
