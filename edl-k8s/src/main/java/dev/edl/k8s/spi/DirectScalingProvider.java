package dev.edl.k8s.spi;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Optional;

/** Provider of direct scaling, the default: the job's control loop creates and deletes replicas immediately. */
enum DirectScalingProvider implements WorkerScalingProvider {
    INSTANCE;

    @Override
    public boolean scales(JobPlan plan) {
        return true;
    }

    @Override
    public PodOptions options(JobPlan plan, PodOptions options) {
        return options;
    }

    @Override
    public Substrate substrate(JobPods pods) {
        return pods.substrate();
    }

    @Override
    public WorkerScaling start(ControlLoop loop, JobPods pods) {
        return WorkerScaling.direct(loop);
    }

    @Override
    public List<PolicyRule> permissions(JobPlan plan, PodOptions options) {
        return List.of();
    }

    @Override
    public Optional<String> handOverObstacle(JobPlan plan) {
        return Optional.empty();
    }
}
