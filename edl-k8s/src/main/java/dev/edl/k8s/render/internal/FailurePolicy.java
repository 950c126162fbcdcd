package dev.edl.k8s.render.internal;

import dev.edl.plan.RolePlan;
import dev.edl.spec.RestartPolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pod failure policy of a role's exit codes for Kubernetes' Job controller. Evictions, preemptions and free or
 * temporary exit codes do not count as failures, and a fatal exit code fails the Job. The backoff is the Job
 * controller's own.
 *
 * <p>137 is the code of a killed container and of an OOM kill, which a Job cannot distinguish. It counts as a failure;
 * otherwise a replica that is too large would be relaunched forever. Pods that Kubernetes itself kills do not count, by
 * their pod condition.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-failure-policy">Kubernetes: pod
 *     failure policy</a>
 */
public final class FailurePolicy {
    private static final int KILLED = 137;

    private FailurePolicy() {}

    /** Returns the policy; empty for a role that is never relaunched, because its first failure is final. */
    public static Optional<PodFailurePolicy> of(RolePlan role) {
        if (role.restart() == RestartPolicy.NEVER) {
            return Optional.empty();
        }
        List<PodFailurePolicyRule> rules = new ArrayList<>();
        rules.add(new PodFailurePolicyRuleBuilder()
                .withAction("Ignore")
                .addNewOnPodCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endOnPodCondition()
                .build());
        if (role.restart() == RestartPolicy.ON_FAILURE) {
            exit("FailJob", role.exitCodes().fatal()).ifPresent(rules::add);
            Set<Integer> uncounted = new TreeSet<>(role.exitCodes().free());
            uncounted.addAll(role.exitCodes().temporary());
            uncounted.remove(KILLED);
            exit("Ignore", uncounted).ifPresent(rules::add);
        }
        return Optional.of(new PodFailurePolicyBuilder().withRules(rules).build());
    }

    /** Returns the relaunch limit of a replica. */
    public static int relaunches(RolePlan role) {
        return switch (role.restart()) {
            case NEVER -> 0;
            case ON_FAILURE -> role.relaunchLimit();
            case ALWAYS -> Integer.MAX_VALUE;
        };
    }

    private static Optional<PodFailurePolicyRule> exit(String action, Set<Integer> codes) {
        return codes.isEmpty()
                ? Optional.empty()
                : Optional.of(new PodFailurePolicyRuleBuilder()
                        .withAction(action)
                        .withNewOnExitCodes()
                        .withOperator("In")
                        .withValues(codes.stream().sorted().toList())
                        .endOnExitCodes()
                        .build());
    }
}
