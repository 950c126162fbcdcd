package dev.edl.k8s.spi;

import dev.edl.RoleType;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Scales the jobs of a profile in another way than at once. {@link dev.edl.k8s.KubernetesExecutor} finds it by {@link ServiceLoader}.
 */
public interface WorkerScalingProvider {
    /** Returns whether it scales the job of a plan. */
    boolean scales(JobPlan plan);

    /**
     * Returns the options of a job's pods with what its way of scaling needs beside.
     *
     * @param options of the executor
     * @return the same instance where nothing is needed
     */
    PodOptions options(JobPlan plan, PodOptions options);

    /** Returns the place where the job's loop creates and deletes replicas. */
    Substrate substrate(JobPods pods);

    /**
     * Starts to scale a running job.
     *
     * @param loop of the job, which runs
     * @param pods of the job
     * @return closed with the job's run
     */
    WorkerScaling start(ControlLoop loop, JobPods pods);

    /**
     * Returns what the account of a program that submits or drives the job may do in the job's namespace, beside what each job's pods
     * and its record take.
     *
     * @param options of the executor
     */
    List<PolicyRule> permissions(JobPlan plan, PodOptions options);

    /**
     * Returns why no driver's pod can drive the job, as the end of a sentence.
     *
     * @return empty when it can
     */
    Optional<String> handOverObstacle(JobPlan plan);

    /**
     * Returns what scales the job of a plan: a provider on the class path, or the job's own loop.
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

    /** Without a provider the launcher would not hear of workers that come and go. */
    private static boolean needsProvider(JobPlan plan) {
        return plan.profile() == Profile.ET_V1ALPHA1
                && plan.role(RoleType.LAUNCHER).isPresent()
                && plan.role(RoleType.WORKER).isPresent();
    }
}
