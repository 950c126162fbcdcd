package dev.edl.operators.crd.internal;

import dev.edl.Resources;
import dev.edl.spec.RoleTemplate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads what a container asks for and may use. A job limits what it asks for, so a limit that equals the request goes
 * without saying, and a request without a limit is a loss. A device with a limit alone is asked for, as Kubernetes has it.
 */
final class ResourcesReader {
    /** The name of NVIDIA's devices until Kubernetes 1.9. */
    private static final String OLD_GPU = "alpha.kubernetes.io/nvidia-gpu";

    private static final String GPU = "nvidia.com/gpu";

    private ResourcesReader() {}

    static void read(Fields container, RoleTemplate.Builder role) {
        container.map("resources").ifPresent(resources -> {
            Map<String, String> requests = amounts(resources, "requests");
            Map<String, String> limits = amounts(resources, "limits");
            requests.forEach((name, amount) -> {
                if (!limits.containsKey(name)) {
                    resources
                            .report()
                            .loss(
                                    resources.at("requests." + name),
                                    resources
                                            .map("requests")
                                            .flatMap(given -> given.amount(name))
                                            .orElse(amount),
                                    "it has no limit there; a job limits a resource to what it asks for");
                }
            });
            requests.forEach(limits::remove);
            List.copyOf(limits.keySet()).stream()
                    .filter(name -> name.contains("/") && !requests.containsKey(name))
                    .forEach(name -> requests.put(name, String.valueOf(limits.remove(name))));
            if (!requests.isEmpty()) {
                role.requests(new Resources(requests));
            }
            if (!limits.isEmpty()) {
                role.limits(new Resources(limits));
            }
            resources.lose("a job has no resource claims", "claims");
        });
    }

    private static Map<String, String> amounts(Fields resources, String key) {
        Map<String, String> amounts = new LinkedHashMap<>();
        resources.map(key).ifPresent(fields -> {
            for (String name : fields.keys()) {
                fields.amount(name).ifPresent(text -> amount(fields, name, text, amounts));
            }
        });
        return amounts;
    }

    private static void amount(Fields fields, String name, String text, Map<String, String> amounts) {
        String known = name.equals(OLD_GPU) ? GPU : name;
        try {
            String number = Objects.requireNonNull(PodSchema.amount(text), "an amount, as was checked")
                    .stripTrailingZeros()
                    .toPlainString();
            amounts.putAll(new Resources(Map.of(known, number)).amounts());
            if (!known.equals(name)) {
                fields.report()
                        .loss(fields.at(name), text, "it is read as " + GPU + ", its name since Kubernetes 1.10");
            }
        } catch (IllegalArgumentException e) {
            fields.report().loss(fields.at(name), text, String.valueOf(e.getMessage()));
        }
    }
}
