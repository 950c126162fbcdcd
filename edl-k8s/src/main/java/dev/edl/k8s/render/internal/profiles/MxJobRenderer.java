package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Renders the objects of the first MXNet operator for an MxJob: one Job per replica, and one Service for the scheduler.
 */
record MxJobRenderer(JobPlan plan) implements ProfileRenderer {
    @Override
    public boolean legacy() {
        return true;
    }

    @Override
    public String namePrefix() {
        return plan.name();
    }

    @Override
    public String container(RolePlan role) {
        return "mxnet";
    }

    @Override
    public Optional<String> port() {
        return Optional.empty();
    }

    @Override
    public String restartPolicy(RolePlan role) {
        return ProfileRenderer.inJob(role);
    }

    @Override
    public List<Endpoint> endpointsWithService() {
        return plan.role(RoleType.SCHEDULER).map(plan::endpoints).orElse(List.of());
    }

    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        return ReplicaServices.balanced(plan, endpoint, selector, "ps-root-port");
    }

    @Override
    public String boardName() {
        return plan.name() + "-tensorboard-" + plan.runId();
    }

    @Override
    public Map<String, String> boardLabels() {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("app", "tensorboard");
        return labels;
    }
}
