package dev.edl.operators.et;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.spi.JobPods;
import dev.edl.k8s.spi.WorkerScaling;
import dev.edl.k8s.spi.WorkerScalingProvider;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Provider of scaling in et-operator's order, which {@code KubernetesExecutor} finds as a service. */
public final class HostfileScalingProvider implements WorkerScalingProvider {
    @Override
    public boolean scales(JobPlan plan) {
        return plan.profile() == Profile.ET_V1ALPHA1
                && plan.role(RoleType.LAUNCHER).isPresent()
                && plan.role(RoleType.WORKER).isPresent();
    }

    /**
     * Returns the options with generated ssh keys, unless they have keys or the launcher uses kubexec. Without keys, a
     * launcher that reaches its workers by ssh does not start.
     */
    @Override
    public PodOptions options(JobPlan plan, PodOptions options) {
        return needsKeys(options)
                ? options.toBuilder().sshKeys(SshKeyGenerator.generate()).build()
                : options;
    }

    private static boolean needsKeys(PodOptions options) {
        return !options.nonPodOptions().containsKey("sshKeys")
                && !options.nonPodOptions().containsKey("kubexec");
    }

    @Override
    public Substrate substrate(JobPods pods) {
        return new ServicePerPodSubstrate(pods);
    }

    @Override
    public WorkerScaling start(ControlLoop loop, JobPods pods) {
        return HostfileScaling.start(loop, pods);
    }

    /**
     * Returns the RBAC rules to create missing ssh keys, manage a Service for each worker, persist the hosts in a
     * ConfigMap and write them into the launcher's pod.
     */
    @Override
    public List<PolicyRule> permissions(JobPlan plan, PodOptions options) {
        List<PolicyRule> rules = new ArrayList<>();
        if (needsKeys(options)) {
            rules.add(rule("secrets", List.of(), "create"));
        }
        rules.add(rule("services", List.of(), "get", "delete"));
        rules.add(rule("configmaps", List.of(plan.name() + "-config"), "get", "update"));
        rules.add(rule("pods/exec", List.of(), "get", "create"));
        return rules;
    }

    private static PolicyRule rule(String resource, List<String> names, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources(resource)
                .withResourceNames(names)
                .withVerbs(verbs)
                .build();
    }

    @Override
    public Optional<String> handOverObstacle(JobPlan plan) {
        return Optional.of(
                "its workers are scaled by files in its launcher's pod, which the account of a driver's pod may"
                        + " not write; drive it from a program that keeps running, or as a TrainingJob by EDL's controller");
    }
}
