package dev.edl.operators.crd.internal;

import dev.edl.internal.text.ResourceAmountText;
import dev.edl.internal.text.ResourceQuantity;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a container's requests and limits. A job has only requests, and limits each resource to its request, so a limit
 * that equals the request is not a loss. A request without a limit is a loss, unless it is 0. A device with only a limit
 * is requested, as in Kubernetes. Quantities stay as written, except that they are rounded up where Kubernetes rounds
 * them up.
 */
final class ResourcesReader {
    /** Resource name of NVIDIA's devices until Kubernetes 1.9. */
    private static final String OLD_GPU = "alpha.kubernetes.io/nvidia-gpu";

    private static final String GPU = "nvidia.com/gpu";
    private static final Set<String> NATIVE = Set.of("cpu", "memory", "ephemeral-storage");

    private ResourcesReader() {}

    static void read(CustomObjectFieldReader container, RoleTemplate.Builder role) {
        container.map("resources").ifPresent(resources -> {
            Map<String, String> requests = amounts(resources, "requests", "the pod then asks for none of it");
            Map<String, String> limits = amounts(resources, "limits", "the pod then has no limit of it");
            requests.forEach((name, amount) -> {
                if (!limits.containsKey(name) && !amount.equals("0")) {
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

    /**
     * Reads requests or limits.
     *
     * @param without text that says what a quantity's absence does to the pod
     */
    private static Map<String, String> amounts(CustomObjectFieldReader resources, String key, String without) {
        Map<String, String> amounts = new LinkedHashMap<>();
        resources.map(key).ifPresent(fields -> {
            for (String name : fields.keys()) {
                fields.amount(name).ifPresent(text -> amount(fields, name, text, without, amounts));
            }
        });
        return amounts;
    }

    private static void amount(
            CustomObjectFieldReader fields, String name, String text, String without, Map<String, String> amounts) {
        String known = name.equals(OLD_GPU) ? GPU : name;
        BigDecimal number =
                ResourceQuantity.number(text).orElseThrow(() -> new IllegalStateException("no amount: " + text));
        if (number.signum() < 0) {
            fields.wrong(name, "must be at least 0, was " + text + "; for example 1");
        } else if (!NATIVE.contains(known) && !ResourceAmountText.isExtended(known)) {
            fields.report()
                    .loss(fields.at(name), text, "a job has cpu, memory, ephemeral-storage and devices; " + without);
        } else {
            keep(fields, name, known, text, number, amounts);
        }
    }

    private static void keep(
            CustomObjectFieldReader fields,
            String name,
            String known,
            String text,
            BigDecimal number,
            Map<String, String> amounts) {
        BigDecimal counted = number.min(ResourceQuantity.MOST);
        Resources one;
        try {
            one = new Resources(Map.of(known, counted.toPlainString()));
        } catch (IllegalArgumentException e) {
            fields.wrong(name, "must be a whole number, as devices are counted, was " + text + "; for example 1");
            return;
        }
        String read = one.amounts().getOrDefault(known, "");
        if (counted.compareTo(number) < 0) {
            lose(fields, name, text, read + ", up to which Kubernetes counts");
        } else if (one.value(known).compareTo(number) != 0) {
            boolean bytes = known.equals("memory") || known.equals("ephemeral-storage");
            lose(
                    fields,
                    name,
                    text,
                    read + ", rounded up to " + (bytes ? "whole bytes" : "thousandths") + " as Kubernetes does");
        }
        if (!known.equals(name)) {
            lose(fields, name, text, GPU + ", its name since Kubernetes 1.10");
        }
        amounts.putAll(one.amounts());
    }

    private static void lose(CustomObjectFieldReader fields, String name, String text, String read) {
        fields.report().loss(fields.at(name), text, "it is read as " + read);
    }
}
