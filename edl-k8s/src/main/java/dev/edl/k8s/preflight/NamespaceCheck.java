package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.LookupResult;
import io.fabric8.kubernetes.api.model.Namespace;

/** Checks that the namespace exists and is not being deleted. */
final class NamespaceCheck {
    private NamespaceCheck() {}

    /**
     * Reports a namespace that is missing or being deleted as a problem. Returns false for it; true otherwise, also if
     * the namespace cannot be read.
     */
    static boolean holds(CheckContext context) {
        String name = context.namespace();
        LookupResult<Namespace> seen = context.lookUp(
                ProblemTopic.NAMESPACE,
                "namespace",
                "namespace \"" + name + "\"",
                "get namespaces",
                () -> context.client().namespaces().withName(name).get());
        if (seen.absent()) {
            context.findings()
                    .error(
                            ProblemTopic.NAMESPACE,
                            "namespace",
                            "namespace \"" + name + "\" is missing",
                            "every object of the job is created in it",
                            ProblemFix.of(
                                    "create it, or use another one: namespace(\"default\")",
                                    "kubectl create namespace " + name));
            return false;
        }
        boolean ends = seen.value()
                .map(namespace -> namespace.getMetadata().getDeletionTimestamp() != null)
                .orElse(false);
        if (ends) {
            context.findings()
                    .error(
                            ProblemTopic.NAMESPACE,
                            "namespace",
                            "namespace \"" + name + "\" is being deleted",
                            "the API server refuses new objects in it",
                            ProblemFix.of(
                                    "wait until it is gone and create it again, or use another one:"
                                            + " namespace(\"default\")",
                                    "kubectl wait --for=delete namespace/" + name + " --timeout=5m; kubectl create"
                                            + " namespace " + name));
        }
        return !ends;
    }
}
