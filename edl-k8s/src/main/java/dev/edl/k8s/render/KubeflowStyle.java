package dev.edl.k8s.render;

import dev.edl.Framework;
import dev.edl.RoleType;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What Kubeflow's training operator makes of a TFJob, PyTorchJob or MXJob v1. */
record KubeflowStyle(JobPlan plan) implements Style {
    @Override
    public Workload workload() {
        return Workload.PODS;
    }

    @Override
    public PodSecurity security() {
        return PodSecurity.HARDENED;
    }

    @Override
    public boolean legacy() {
        return false;
    }

    @Override
    public String stem() {
        return plan.name();
    }

    @Override
    public String container(RolePlan role) {
        return plan.framework().id();
    }

    @Override
    public Optional<String> port() {
        return Optional.of(portName());
    }

    private String portName() {
        return switch (plan.framework()) {
            case TENSORFLOW -> "tfjob-port";
            case PYTORCH -> "pytorchjob-port";
            case MXNET -> "mxjob-port";
            case HOROVOD, ELASTICDL ->
                throw new RenderException("job \"" + plan.name() + "\": profile KUBEFLOW_V1 of a "
                        + plan.framework() + " job cannot be made into objects here, as the files by which its launcher"
                        + " reaches the workers are the MPI operator's own; plan it by Profile.ELASTICDL or"
                        + " Profile.ET_V1ALPHA1, or write the MPIJob itself");
        };
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
    public List<Endpoint> served() {
        return plan.roles().stream()
                .flatMap(role -> plan.endpoints(role).stream())
                .toList();
    }

    /** The operator finds a replica's pod without its part in the job, which stands in its labels only. */
    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        Map<String, String> four = new TreeMap<>(selector);
        four.remove("training.kubeflow.org/job-role");
        return Services.headless(plan, endpoint, four, four, portName(), false);
    }

    @Override
    public void complete(RolePlan role, String index, PodTemplateSpec pod) {
        if (plan.framework() == Framework.PYTORCH && role.type() == RoleType.WORKER) {
            plan.role(RoleType.MASTER)
                    .ifPresent(master ->
                            PyTorchWait.add(pod, plan.endpoint(master, 0).host()));
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
