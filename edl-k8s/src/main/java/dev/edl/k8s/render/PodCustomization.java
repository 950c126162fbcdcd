package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.PodRules;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Applies the user's pod changes, and checks that the changed pod still meets the rules of EDL and Kubernetes. */
final class PodCustomization {
    /** Linux' MAX_ARG_STRLEN: maximum bytes of one {@code NAME=value} string with its final NUL. */
    private static final int ENV_BYTES = 131_072;

    /** Kubernetes' maximum bytes of an object's annotations, keys and values together. */
    private static final int ANNOTATION_BYTES = 262_144;

    private final JobPlan plan;
    private final ReplicaIdentity identity;

    private PodCustomization(JobPlan plan, ReplicaIdentity identity) {
        this.plan = plan;
        this.identity = identity;
    }

    static PodTemplateSpec apply(
            JobPlan plan, ReplicaIdentity identity, PodSettings settings, PodSecurity security, PodTemplateSpec pod) {
        PodCustomization tweaks = new PodCustomization(plan, identity);
        PodTemplateSpec changed = pod;
        for (UnaryOperator<PodTemplateSpec> tweak : settings.tweaks()) {
            changed = tweaks.tweaked(tweak, changed);
        }
        List<String> mistakes = PodRules.mistakes(changed);
        if (!mistakes.isEmpty()) {
            throw tweaks.refused(String.join("; ", mistakes));
        }
        tweaks.annotations(changed);
        PodRules.containers(changed.getSpec())
                .forEach(container ->
                        PodRules.given(container.getEnv()).forEach(variable -> tweaks.size(container, variable)));
        if (security == PodSecurity.RESTRICTED) {
            tweaks.restricted(changed);
        }
        return changed;
    }

    private PodTemplateSpec tweaked(UnaryOperator<PodTemplateSpec> tweak, PodTemplateSpec pod) {
        @Nullable PodTemplateSpec changed = tweak.apply(new PodTemplateSpecBuilder(pod).build());
        if (changed == null
                || changed.getSpec() == null
                || PodRules.given(changed.getSpec().getContainers()).isEmpty()) {
            throw refused("a pod tweak must return a pod with a container, returned "
                    + (changed == null ? "null" : "one without"));
        }
        Map<String, String> labels =
                changed.getMetadata() == null ? Map.of() : changed.getMetadata().getLabels();
        identity.labels().forEach((key, value) -> {
            if (labels == null || !value.equals(labels.get(key))) {
                throw refused(
                        "a pod tweak must leave the label " + key + "=" + value + ", by which the job finds its pods");
            }
        });
        PodTemplateSpec kept = new PodTemplateSpecBuilder(changed).build();
        if (kept.getMetadata().getAnnotations() == null) {
            kept.getMetadata().setAnnotations(new TreeMap<>());
        }
        return kept;
    }

    private void annotations(PodTemplateSpec pod) {
        int bytes = pod.getMetadata().getAnnotations().entrySet().stream()
                .mapToInt(entry -> utf8(entry.getKey()) + utf8(entry.getValue()))
                .sum();
        if (bytes > ANNOTATION_BYTES) {
            throw refused("annotations take " + bytes + " bytes; Kubernetes takes at most " + ANNOTATION_BYTES
                    + "; put the text into a ConfigMap and mount that");
        }
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private void size(Container container, EnvVar variable) {
        String value = variable.getValue() == null ? "" : variable.getValue();
        // A value with fewer characters than a third of the limit cannot exceed it in UTF-8.
        if (value.length() < ENV_BYTES / 3 - variable.getName().length() - 2) {
            return;
        }
        // Kubernetes turns {@code $$} into one dollar sign before the limit applies.
        int bytes = (variable.getName() + "=" + value.replace("$$", "$")).getBytes(StandardCharsets.UTF_8).length + 1;
        if (bytes > ENV_BYTES) {
            throw refused("environment variable " + variable.getName() + " of container " + container.getName()
                    + " takes " + bytes + " bytes; Linux takes at most " + ENV_BYTES
                    + "; put the value into a file on a volume and pass its path");
        }
    }

    private void restricted(PodTemplateSpec pod) {
        List<String> violations = PodSecurity.violations(pod);
        if (!violations.isEmpty()) {
            throw refused("the pod does not meet Pod Security \"restricted\": " + String.join("; ", violations)
                    + "; remove that, or use security(PodSecurity.HARDENED) to apply only what the pod allows");
        }
    }

    private RenderException refused(String rule) {
        return new RenderException(
                "job \"" + plan.name() + "\": " + identity.role().type() + ": " + rule);
    }
}
