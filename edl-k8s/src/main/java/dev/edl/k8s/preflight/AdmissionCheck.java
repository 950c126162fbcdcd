package dev.edl.k8s.preflight;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.preflight.internal.AdmissionPlugins;
import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.ResourcePlurals;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks each object with a dry run on the API server. Webhooks and admission plugins then report problems that no
 * other check covers; the API server stores nothing.
 *
 * <p>The dry runs of pods come before the checks of quotas, limit ranges, policies and nodes, because these checks
 * apply to the pod that the API server would store. Their refusals are reported last, unless another check explains
 * them. Dry runs of the other objects come last, and skip objects for which another check reported a refusal.
 */
final class AdmissionCheck {
    private static final Pattern POD_SECURITY =
            Pattern.compile("violates PodSecurity \"(\\w+):[^\"]*\": (.*)", Pattern.DOTALL);

    /** Matches the refusal of a dry run, not of the object, because of a webhook with side effects. */
    private static final String NO_DRY_RUN = " does not support dry run";

    private static final String NO_PERMISSION = "the client may not create pods, not even as a dry run";

    private final CheckContext context;
    private final Map<PodSet, KubernetesClientException> refusals = new LinkedHashMap<>();

    /** Reasons why no dry run was possible, with the pods. */
    private final Map<String, List<PodSet>> unknown = new LinkedHashMap<>();

    AdmissionCheck(CheckContext context) {
        this.context = context;
    }

    /**
     * Returns the context with the pods as the API server would store them. Pods without a successful dry run get the
     * changes of the known admission plugins.
     */
    CheckContext admitted(List<RuntimeClass> runtimes, List<PriorityClass> priorities, List<LimitRange> ranges) {
        AdmissionPlugins plugins = new AdmissionPlugins(runtimes, priorities, ranges);
        Map<PodSet, PodSet> admitted = new LinkedHashMap<>();
        for (PodSet podSet : context.groups()) {
            dryRun(podSet).ifPresent(pod -> {
                // The dry run was without the priority class that the job creates.
                pod.getSpec().setPriorityClassName(priorityClassName(podSet, pod));
                plugins.prioritize(pod.getSpec());
                admitted.put(podSet, podSet.withAdmitted(pod));
            });
        }
        return context.withGroups(locally(admitted, plugins));
    }

    private static @Nullable String priorityClassName(PodSet podSet, Pod pod) {
        String sent = podSet.pod().getSpec().getPriorityClassName();
        return isEmpty(sent) ? pod.getSpec().getPriorityClassName() : sent;
    }

    private List<PodSet> locally(Map<PodSet, PodSet> admitted, AdmissionPlugins plugins) {
        List<PodSet> unnamed = context.groups().stream()
                .filter(podSet -> !admitted.containsKey(podSet))
                .filter(podSet -> isEmpty(podSet.pod().getSpec().getPriorityClassName()))
                .toList();
        List<PriorityClass> priorities = new ArrayList<>(plugins.priorityClasses());
        if (!unnamed.isEmpty()) {
            priorities.addAll(PriorityClassCheck.all(context, unnamed));
        }
        AdmissionPlugins all = new AdmissionPlugins(plugins.runtimeClasses(), priorities, plugins.limitRanges());
        return context.groups().stream()
                .map(podSet -> {
                    PodSet known = admitted.get(podSet);
                    return known == null ? podSet.withAdmitted(all.admit(podSet.pod())) : known;
                })
                .toList();
    }

    private static boolean isEmpty(@Nullable String name) {
        return name == null || name.isEmpty();
    }

    /** Returns the pod as the API server would store it; empty if it refuses the pod or the dry run. */
    private Optional<Pod> dryRun(PodSet podSet) {
        if (context.findings().isRefused(podSet.where())) {
            return Optional.empty();
        }
        if (context.findings().isRefused("create pods")) {
            unknown(podSet, NO_PERMISSION);
            return Optional.empty();
        }
        try {
            return Optional.of(
                    context.client().resource(alone(podSet.pod())).dryRun().create());
        } catch (KubernetesClientException e) {
            throwUnlessRefusal(e);
            refusals.put(podSet, e);
            return Optional.empty();
        }
    }

    private void unknown(PodSet podSet, String why) {
        unknown.computeIfAbsent(why, reason -> new ArrayList<>()).add(podSet);
    }

    /** Reports refusals of pods that no other check explains, then sends the dry runs of the other objects. */
    void report() {
        refusals.forEach((podSet, refusal) -> {
            if (message(refusal).contains(NO_DRY_RUN)) {
                unknown(podSet, message(refusal));
            } else if (context.delegated().isPresent()) {
                // Another program creates the pods, with its own permissions.
                delegated(podSet, refusal);
            } else if (!context.findings().isRefused(podSet.where())) {
                refused(podSet, refusal);
            }
        });
        unknown.forEach((why, podSets) -> context.findings()
                .notChecked(
                        ProblemTopic.ADMISSION,
                        FieldPaths.of(podSets, "pod"),
                        "changes of the pods by webhooks and admission policies are unknown",
                        why,
                        ProblemFix.of(
                                "expect further containers, requests, labels or tolerations; limit ranges, runtime"
                                        + " classes and priority classes are considered")));
        if (context.delegated().isPresent()) {
            var resource = context.delegated().get();
            if (!context.findings().isRefused(resource.getKind())) {
                tell("job", resource);
            }
            return;
        }
        for (HasMetadata object : context.objects()) {
            String name = object.getKind() + "/" + object.getMetadata().getName();
            // RBAC lets only administrators bind a Role that does not exist yet.
            if (object.getMetadata().getNamespace() != null
                    && !(object instanceof RoleBinding)
                    && !context.findings().isRefused(name)
                    && !context.findings().isRefused(object.getKind())
                    && !context.findings().isRefused("quota " + ResourcePlurals.of(object))
                    && !context.findings().isRefused("create " + ResourcePlurals.of(object))) {
                tell("job", object);
            }
        }
    }

    private void delegated(PodSet podSet, KubernetesClientException refusal) {
        if (MissingPermission.in(message(refusal)).isPresent()) {
            unknown(podSet, NO_PERMISSION);
        } else if (!context.findings().isRefused(podSet.where())) {
            unknown(podSet, message(refusal));
        }
    }

    private void refused(PodSet podSet, KubernetesClientException e) {
        Matcher security = POD_SECURITY.matcher(message(e));
        if (security.find()) {
            PodSecurityCheck.refused(context, podSet, security.group(1), security.group(2));
        } else {
            refused(podSet.where(), podSet.pod(), e);
        }
    }

    /**
     * Returns a copy of the pod without references to objects that are created with the job, because a dry run would
     * not find them.
     */
    private Pod alone(Pod pod) {
        Pod alone = new PodBuilder(pod).build();
        String priority = pod.getSpec().getPriorityClassName();
        String account = pod.getSpec().getServiceAccountName();
        if (priority != null && context.makes(PriorityClass.class, priority)) {
            alone.getSpec().setPriorityClassName(null);
        }
        if (account != null && context.makes(ServiceAccount.class, account)) {
            alone.getSpec().setServiceAccountName(null);
        }
        return alone;
    }

    private void tell(String where, HasMetadata object) {
        try {
            context.client()
                    .resource(object)
                    .inNamespace(context.namespace())
                    .dryRun()
                    .create();
        } catch (KubernetesClientException e) {
            refused(where, object, e);
        }
    }

    /** Throws other failures than a refusal, such as an unavailable server, which are not problems of the job. */
    private static void throwUnlessRefusal(KubernetesClientException e) {
        if (e.getCode() < 400 || e.getCode() >= 500 || e.getCode() == 429) {
            throw e;
        }
    }

    /** Reports the API server's refusal of an object as a problem. */
    private void refused(String where, HasMetadata object, KubernetesClientException e) {
        throwUnlessRefusal(e);
        if (message(e).contains(NO_DRY_RUN)) {
            context.findings()
                    .notChecked(
                            ProblemTopic.ADMISSION,
                            where,
                            "admission of " + object.getKind() + " \""
                                    + object.getMetadata().getName() + "\" is unknown",
                            message(e),
                            ProblemFix.of("ask the webhook's administrator for its rules"));
            return;
        }
        context.findings()
                .error(
                        ProblemTopic.ADMISSION,
                        where,
                        "the API server refuses " + object.getKind() + " \""
                                + object.getMetadata().getName() + "\"",
                        message(e),
                        MissingPermission.in(message(e))
                                .map(permission ->
                                        ProblemFix.of("have an administrator grant it", permission.command()))
                                .orElse(ProblemFix.of(
                                        "change the fields that it names, or ask the cluster's administrator")));
    }

    private static String message(KubernetesClientException e) {
        String said = e.getStatus() == null ? null : e.getStatus().getMessage();
        return said == null ? String.valueOf(e.getMessage()) : said;
    }
}
