package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.QuotaScope;
import dev.edl.k8s.preflight.internal.ResourcePlurals;
import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaList;
import io.fabric8.kubernetes.api.model.Service;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Checks that the namespace's ResourceQuotas have enough left for the start of the job. */
final class QuotaCheck {
    /** Resources that every container must set if a quota counts them. */
    private static final Set<String> SAID =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private final CheckContext context;
    private final ResourceQuota quota;
    private final String name;
    private final Map<PodSet, Pod> counted = new LinkedHashMap<>();

    private QuotaCheck(CheckContext context, ResourceQuota quota) {
        this.context = context;
        this.quota = quota;
        this.name = quota.getMetadata().getName();
        context.groups().forEach(podSet -> {
            if (QuotaScope.counts(quota, podSet.admitted())) {
                counted.put(podSet, podSet.admitted());
            }
        });
    }

    static void check(CheckContext context) {
        context.lookUp(
                        ProblemTopic.QUOTA,
                        "request",
                        "ResourceQuotas of namespace \"" + context.namespace() + "\"",
                        "list resourcequotas",
                        () -> context.client()
                                .resourceQuotas()
                                .inNamespace(context.namespace())
                                .list())
                .value()
                .map(ResourceQuotaList::getItems)
                .orElse(List.of())
                .forEach(quota -> {
                    QuotaCheck check = new QuotaCheck(context, quota);
                    check.unsaid();
                    check.amounts();
                });
    }

    private Map<String, Quantity> hard() {
        Map<String, Quantity> status =
                quota.getStatus() == null ? Map.of() : quota.getStatus().getHard();
        return status == null || status.isEmpty() ? quota.getSpec().getHard() : status;
    }

    private BigDecimal used(String resource) {
        Map<String, Quantity> used =
                quota.getStatus() == null ? null : quota.getStatus().getUsed();
        return used == null || !used.containsKey(resource)
                ? BigDecimal.ZERO
                : used.get(resource).getNumericalAmount();
    }

    private void unsaid() {
        counted.forEach((podSet, pod) -> {
            Set<String> missing = new LinkedHashSet<>();
            for (Container container :
                    EffectivePodResources.containers(pod.getSpec()).toList()) {
                hard().keySet().stream()
                        .filter(SAID::contains)
                        .filter(resource -> !(resource.startsWith("limits.")
                                        ? EffectivePodResources.limits(container)
                                        : EffectivePodResources.requests(container))
                                .containsKey(resource.replaceAll("^(requests|limits)\\.", "")))
                        .forEach(missing::add);
            }
            if (!missing.isEmpty()) {
                String amounts = missing.stream()
                        .map(resource -> resource.replaceAll("^(requests|limits)\\.", ""))
                        .distinct()
                        .sorted()
                        .map(resource -> resource + (resource.equals("cpu") ? "=1" : "=1Gi"))
                        .collect(Collectors.joining(","));
                context.findings()
                        .error(
                                ProblemTopic.QUOTA,
                                podSet.path("request"),
                                "the pods do not set "
                                        + missing.stream().sorted().collect(Collectors.joining(", ")),
                                "ResourceQuota \"" + name + "\" counts it, so every container must set it",
                                ProblemFix.of("set request(\"" + amounts
                                        + "\"), or ask the namespace's administrator for a LimitRange with defaults"));
                context.findings().refused(podSet.where());
            }
        });
    }

    private void amounts() {
        List<String> lacking = new ArrayList<>();
        Map<String, BigDecimal> needed = new TreeMap<>();
        Set<PodSet> at = new LinkedHashSet<>();
        boolean atAll = true;
        for (Map.Entry<String, Quantity> entry : new TreeMap<>(hard()).entrySet()) {
            String resource = entry.getKey();
            BigDecimal wanted = wanted(resource, PodSet::start);
            BigDecimal hard = entry.getValue().getNumericalAmount();
            BigDecimal left = hard.subtract(used(resource)).max(BigDecimal.ZERO);
            if (wanted.signum() > 0 && wanted.compareTo(left) > 0) {
                lacking.add(
                        resource + ": " + EffectivePodResources.text(left) + " of " + EffectivePodResources.text(hard)
                                + " left, the job needs " + EffectivePodResources.text(wanted));
                needed.put(resource, used(resource).add(wanted));
                counted.forEach((podSet, pod) -> {
                    if (amount(resource, pod).signum() > 0) {
                        at.add(podSet);
                    }
                });
                atAll &= wanted(resource, PodSet::least).compareTo(left) <= 0;
            }
        }
        if (!lacking.isEmpty()) {
            report(String.join("; ", lacking), needed, at, atAll);
        }
    }

    private void report(String what, Map<String, BigDecimal> needed, Set<PodSet> at, boolean leastFits) {
        String enough = needed.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + EffectivePodResources.text(entry.getValue()))
                .collect(Collectors.joining(","));
        String where = at.isEmpty()
                ? "job"
                : FieldPaths.of(
                        at, needed.keySet().stream().allMatch(key -> key.endsWith("pods")) ? "replicas" : "request");
        ProblemFix fix = ProblemFix.of(
                "request less, use fewer replicas, or ask the quota's administrator to raise it to " + enough);
        String finding = "ResourceQuota \"" + name + "\" has too little left: " + what;
        if (leastFits) {
            context.findings()
                    .warning(
                            ProblemTopic.QUOTA,
                            where,
                            finding,
                            "the API server refuses some of the pods; the job runs with the minimum of its elastic"
                                    + " roles",
                            fix);
            return;
        }
        context.findings()
                .error(ProblemTopic.QUOTA, where, finding, "the API server refuses the pods above the quota", fix);
        counted.forEach((podSet, pod) -> {
            if (isTooLarge(pod)) {
                context.findings().refused(podSet.where());
            }
        });
        needed.keySet().forEach(resource -> context.findings().refused("quota " + resource));
    }

    /**
     * Returns whether a single pod exceeds the unused part of the quota. The dry run of that pod then reports the same
     * problem.
     */
    private boolean isTooLarge(Pod pod) {
        return hard().entrySet().stream()
                .anyMatch(entry -> amount(entry.getKey(), pod)
                                .compareTo(entry.getValue().getNumericalAmount().subtract(used(entry.getKey())))
                        > 0);
    }

    private BigDecimal wanted(String resource, ToIntFunction<PodSet> number) {
        BigDecimal wanted = QuotaScope.isScoped(quota) ? BigDecimal.ZERO : BigDecimal.valueOf(objects(resource));
        for (Map.Entry<PodSet, Pod> entry : counted.entrySet()) {
            wanted = wanted.add(
                    amount(resource, entry.getValue()).multiply(BigDecimal.valueOf(number.applyAsInt(entry.getKey()))));
        }
        return wanted;
    }

    private static BigDecimal amount(String resource, Pod pod) {
        if (resource.equals("pods") || resource.equals("count/pods")) {
            return BigDecimal.ONE;
        }
        if (resource.startsWith("limits.")) {
            return EffectivePodResources.limits(pod.getSpec())
                    .getOrDefault(resource.substring("limits.".length()), BigDecimal.ZERO);
        }
        String asked = resource.startsWith("requests.") ? resource.substring("requests.".length()) : resource;
        return EffectivePodResources.requests(pod.getSpec()).getOrDefault(asked, BigDecimal.ZERO);
    }

    /**
     * Returns how many objects other than pods the job creates that count against this quota entry; 0 if another
     * program runs the job.
     */
    private long objects(String resource) {
        long record = resource.equals("configmaps") || resource.equals("count/configmaps") ? 1 : 0;
        if (context.delegated().isPresent()) {
            return 0;
        }
        return record
                + context.objects().stream()
                        .filter(object -> isCounted(resource, object))
                        .count();
    }

    private static boolean isCounted(String resource, HasMetadata object) {
        if (object instanceof Service service && resource.startsWith("services.")) {
            String type = String.valueOf(service.getSpec().getType());
            boolean balanced = type.equals("LoadBalancer");
            return resource.equals("services.loadbalancers") ? balanced : balanced || type.equals("NodePort");
        }
        String version = object.getApiVersion();
        String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
        String plural = ResourcePlurals.of(object);
        return resource.equals("count/" + plural + group) || (group.isEmpty() && resource.equals(plural));
    }
}
