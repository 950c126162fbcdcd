package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Renders the objects of Kubeflow's training operator for a TFJob, PyTorchJob, MXJob or MPIJob v1. */
record KubeflowRenderer(JobPlan plan) implements ProfileRenderer {
    @Override
    public boolean legacy() {
        return false;
    }

    @Override
    public String namePrefix() {
        return plan.name();
    }

    @Override
    public String container(RolePlan role) {
        return plan.framework().id();
    }

    /** An MPIJob's processes find each other through the launcher, and declare no port. */
    @Override
    public Optional<String> port() {
        return switch (plan.framework()) {
            case TENSORFLOW -> Optional.of("tfjob-port");
            case PYTORCH -> Optional.of("pytorchjob-port");
            case MXNET -> Optional.of("mxjob-port");
            case HOROVOD -> Optional.empty();
            case ELASTICDL -> throw new AssertionError("refused by the plan");
        };
    }

    private boolean isMpi() {
        return plan.framework() == Framework.HOROVOD;
    }

    @Override
    public boolean needsPodNames() {
        return isMpi();
    }

    @Override
    public List<PolicyRule> rules(RoleType role) {
        return isMpi() && role == RoleType.LAUNCHER ? MpiObjects.rules(plan) : List.of();
    }

    @Override
    public List<HasMetadata> profileObjects() {
        return isMpi() ? List.of(MpiObjects.files(plan)) : List.of();
    }

    @Override
    public List<RolePlan> startOrder(List<RolePlan> roles) {
        return isMpi() ? ProfileRenderer.launcherLast(roles) : roles;
    }

    @Override
    public String restartPolicy(RolePlan role) {
        return switch (role.restart()) {
            case NEVER -> "Never";
            case ON_FAILURE -> "OnFailure";
            case ALWAYS -> "Always";
        };
    }

    @Override
    public List<Endpoint> endpointsWithService() {
        return isMpi()
                ? List.of()
                : plan.roles().stream()
                        .flatMap(role -> plan.endpoints(role).stream())
                        .toList();
    }

    /** Returns the Service of a replica. Omits the job-role label from the selector, as the operator does. */
    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        Map<String, String> four = new TreeMap<>(selector);
        four.remove("training.kubeflow.org/job-role");
        return ReplicaServices.headless(plan, endpoint, four, four, port().orElseThrow(), false);
    }

    @Override
    public void customizePod(RolePlan role, String index, PodTemplateSpec pod) {
        if (isMpi()) {
            MpiPods.complete(plan, role.type(), pod);
        }
        if (plan.framework() == Framework.PYTORCH && role.type() == RoleType.WORKER) {
            plan.role(RoleType.MASTER)
                    .ifPresent(master -> PyTorchWaitContainer.add(
                            pod, plan.endpoint(master, 0).host()));
        }
    }

    @Override
    public String boardName() {
        return plan.name() + "-tensorboard";
    }

    @Override
    public Map<String, String> boardLabels() {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("training.kubeflow.org/replica-type", "tensorboard");
        return labels;
    }
}
