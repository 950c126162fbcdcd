package dev.edl.k8s.spi;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Provider of another way of scaling for the jobs of a profile. {@link dev.edl.k8s.KubernetesExecutor} finds it by
 * {@link ServiceLoader}.
 */
public interface WorkerScalingProvider {
    /** Returns whether this provider scales the plan's job. */
    boolean scales(JobPlan plan);

    /**
     * Returns the pod options with additions that the way of scaling needs.
     *
     * @param options options of the executor's pods
     * @return {@code options} itself if nothing is added
     */
    PodOptions options(JobPlan plan, PodOptions options);

    /** Returns the substrate in which the job's control loop creates and deletes replicas. */
    Substrate substrate(JobPods pods);

    /**
     * Starts to scale a running job.
     *
     * @param loop control loop of the job, already running
     * @param pods pods of the job
     * @return the scaling, closed with the job's run
     */
    WorkerScaling start(ControlLoop loop, JobPods pods);

    /**
     * Returns the permissions in the job's namespace that a program needs to submit or drive the job, in addition to
     * the permissions for its pods and record.
     *
     * @param options options of the executor's pods
     */
    List<PolicyRule> permissions(JobPlan plan, PodOptions options);

    /**
     * Returns why no driver pod can drive the job, as the last part of a message's sentence.
     *
     * @return empty when a driver pod can drive the job
     */
    Optional<String> handOverObstacle(JobPlan plan);

    /**
     * Returns the provider for a plan's job: one on the class path, or direct scaling.
     *
     * @throws IllegalStateException when its profile leaves scaling to a provider and none is on the class path
     */
    static WorkerScalingProvider of(JobPlan plan) {
        for (WorkerScalingProvider provider :
                ServiceLoader.load(WorkerScalingProvider.class, WorkerScalingProvider.class.getClassLoader())) {
            if (provider.scales(plan)) {
                return provider;
            }
        }
        if (needsProvider(plan)) {
            throw new IllegalStateException("job \"" + plan.name() + "\" of profile " + plan.profile()
                    + " has a launcher whose workers are scaled by module edl-operators, which is not on the class path; add"
                    + " the dependency dev.edl:edl-operators");
        }
        return DirectScalingProvider.INSTANCE;
    }

    /**
     * Returns whether the job's profile needs a provider, because its launcher would otherwise not learn of added and
     * removed workers.
     */
    private static boolean needsProvider(JobPlan plan) {
        return plan.profile() == Profile.ET_V1ALPHA1
                && plan.role(RoleType.LAUNCHER).isPresent()
                && plan.role(RoleType.WORKER).isPresent();
    }
}
