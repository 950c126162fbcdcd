package dev.edl.operators;

import dev.edl.k8s.preflight.Preflight;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Preflight checks for a job that an operator is to run, made before its custom resource is created. */
public final class CustomResourcePreflight {
    private CustomResourcePreflight() {}

    /**
     * Checks that the cluster serves the resource, that the job's pods could run and that the API server would accept
     * the resource. Checks the permissions that {@link CustomResourceExecutor} needs.
     *
     * <pre>{@code
     * CustomResourcePreflight.of(client, job.plan(Profile.KUBEFLOW_V1), options, KubeflowTfJobs.write(job).resource());
     * }</pre>
     *
     * @param plan plan of the job with the operator's profile
     * @param resource the resource to create, in the plan's namespace
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server does not respond
     */
    public static PreflightReport of(KubernetesClient client, JobPlan plan, PodOptions options, CustomObject resource) {
        return Preflight.of(client, plan, options, resource.toKubernetes(), rights(resource));
    }

    /**
     * Returns the RBAC rules that {@link CustomResourceExecutor} needs on the resource, on its pods and, for a
     * TrainingJob, on the objects that scale it.
     */
    private static List<PolicyRule> rights(CustomObject object) {
        String group = object.apiVersion().replaceAll("/.*", "");
        List<PolicyRule> rules = new ArrayList<>();
        String plural = object.kind().toLowerCase(Locale.ROOT) + "s";
        rules.add(rule(group, plural, "get", "list", "watch", "create", "delete"));
        if (object.apiVersion().equals("kubeflow.org/v1")) {
            // For scale, suspend and resume.
            rules.add(rule(group, plural, "patch"));
        }
        rules.add(rule("", "pods", "list", "watch", "delete"));
        if (object.kind().equals("TrainingJob")) {
            rules.add(rule(group, "scaleins", "list", "create"));
            rules.add(rule(group, "scaleouts", "list", "create"));
        }
        return rules;
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }
}
