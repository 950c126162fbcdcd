package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.render.internal.RestrictedRules;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the pods against Pod Security Standard {@code restricted} if the namespace enforces it. The dry run covers
 * level {@code baseline} and levels without a label.
 */
final class PodSecurityCheck {
    static final String LABEL = "pod-security.kubernetes.io/enforce";

    static final String VERSION_LABEL = LABEL + "-version";

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

    /** Matches violations of rules that level {@code baseline} also has. */
    private static final Pattern BASELINE = Pattern.compile(
            "\\.host(Network|PID|IPC|Process)|hostPath|on the host|\\.privileged|procMount|sysctls|\\.add ");

    private PodSecurityCheck() {}

    static void check(CheckContext context) {
        LookupResult<Namespace> seen = context.lookUp(
                ProblemTopic.NAMESPACE,
                "namespace",
                "namespace \"" + context.namespace() + "\"",
                "get namespaces",
                () -> context.client()
                        .namespaces()
                        .withName(context.namespace())
                        .get());
        seen.value().filter(PodSecurityCheck::isRestricted).ifPresent(namespace -> {
            int minor = minor(namespace);
            context.groups().forEach(podSet -> check(context, podSet, minor));
        });
    }

    /** Returns the minor version of the enforced rules. The API server uses the newest for a value of another form. */
    private static int minor(Namespace namespace) {
        Matcher version = VERSION.matcher(namespace.getMetadata().getLabels().getOrDefault(VERSION_LABEL, ""));
        return version.matches() ? Integer.parseInt(version.group(1)) : RestrictedRules.NEWEST;
    }

    private static boolean isRestricted(Namespace namespace) {
        Map<String, String> labels = namespace.getMetadata().getLabels();
        return labels != null && "restricted".equals(labels.get(LABEL));
    }

    private static void check(CheckContext context, PodSet podSet, int minor) {
        PodTemplateSpec pod = new PodTemplateSpec(
                podSet.admitted().getMetadata(), podSet.admitted().getSpec());
        List<String> violations = new RestrictedRules(pod, minor).violations();
        if (!violations.isEmpty()) {
            refused(context, podSet, "restricted", String.join("; ", violations));
        }
    }

    /**
     * Reports an error for pods that the namespace's Pod Security level rejects.
     *
     * @param level Pod Security level of the namespace; null if unknown
     * @param rules violations of that level
     */
    static void refused(CheckContext context, PodSet podSet, @Nullable String level, String rules) {
        String enough = "restricted".equals(level) && !BASELINE.matcher(rules).find() ? "baseline" : "privileged";
        String said = rules.contains("runAsNonRoot") ? "remove security(AS_GIVEN), " : "remove that, ";
        context.findings()
                .error(
                        ProblemTopic.POD_SECURITY,
                        podSet.path("security"),
                        "pods need more than the namespace's Pod Security level"
                                + (level == null ? "" : " \"" + level + "\"") + " allows",
                        rules,
                        ProblemFix.of(said + "or run the job in a namespace of level \"" + enough
                                + "\", which its administrator sets"));
        context.findings().refused(podSet.where());
    }
}
