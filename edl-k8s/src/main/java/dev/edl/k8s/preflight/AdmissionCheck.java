package dev.edl.k8s.preflight;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.ResourcePlurals;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks each object with a dry run on the API server. Webhooks and admission plugins then report problems that no
 * other check covers; the API server stores nothing. This check runs last, and skips objects for which an earlier check
 * reported a refusal.
 */
final class AdmissionCheck {
    private static final Pattern POD_SECURITY =
            Pattern.compile("violates PodSecurity \"(\\w+):[^\"]*\": (.*)", Pattern.DOTALL);

    private final CheckContext context;

    private AdmissionCheck(CheckContext context) {
        this.context = context;
    }

    static void check(CheckContext context) {
        AdmissionCheck check = new AdmissionCheck(context);
        if (context.delegated().isPresent()) {
            var resource = context.delegated().get();
            if (!context.findings().isRefused(resource.getKind())) {
                check.tell("job", resource);
            }
            return;
        }
        for (PodSet podSet : context.groups()) {
            if (!context.findings().isRefused(podSet.where())
                    && !context.findings().isRefused("create pods")) {
                check.pod(podSet);
            }
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
                check.tell("job", object);
            }
        }
    }

    private void pod(PodSet podSet) {
        try {
            context.client().resource(alone(podSet.pod())).dryRun().create();
        } catch (KubernetesClientException e) {
            Matcher security = POD_SECURITY.matcher(message(e));
            if (security.find()) {
                PodSecurityCheck.refused(context, podSet, security.group(1), security.group(2));
            } else {
                refused(podSet.where(), podSet.pod(), e);
            }
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

    /**
     * Reports the API server's refusal of an object as a problem. Ignores other failures, such as an unavailable
     * server, which are not problems of the job.
     */
    private void refused(String where, HasMetadata object, KubernetesClientException e) {
        if (e.getCode() < 400 || e.getCode() >= 500 || e.getCode() == 429) {
            throw e;
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
