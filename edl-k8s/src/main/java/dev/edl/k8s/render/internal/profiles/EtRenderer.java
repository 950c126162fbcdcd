package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Renders the et-operator's objects for a TrainingJob whose launcher attaches by ssh: workers with one Service each,
 * then the launcher with files that name them.
 */
record EtRenderer(JobPlan plan, ProfileOptions options) implements ProfileRenderer {
    private static final int SSH = 22;
    private static final int SERVICE = 9009;

    @Override
    public Optional<String> mistake() {
        return plan.role(RoleType.WORKER).isPresent()
                ? Optional.empty()
                : Optional.of("a TrainingJob must have workers; add them, for example .workers(2)");
    }

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
        return role.type().id();
    }

    @Override
    public Optional<String> port() {
        return Optional.empty();
    }

    @Override
    public String restartPolicy(RolePlan role) {
        return "Never";
    }

    @Override
    public List<Endpoint> endpointsWithService() {
        return plan.role(RoleType.WORKER).map(plan::endpoints).orElse(List.of());
    }

    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        Service service = ReplicaServices.headless(plan, endpoint, selector, selector, "ssh-port", false);
        return new ServiceBuilder(service)
                .editSpec()
                .editPort(0)
                .withPort(SSH)
                .endPort()
                .addNewPort()
                .withName("kubeai-service-port")
                .withPort(SERVICE)
                .endPort()
                .endSpec()
                .build();
    }

    @Override
    public List<PolicyRule> rules(RoleType role) {
        return role == RoleType.LAUNCHER ? EtObjects.rules(plan) : List.of();
    }

    @Override
    public List<HasMetadata> profileObjects() {
        return new EtObjects(plan, options.sshKeys()).objects();
    }

    @Override
    public boolean needsPodNames() {
        return options.kubexec();
    }

    @Override
    public List<RolePlan> startOrder(List<RolePlan> roles) {
        return ProfileRenderer.launcherLast(roles);
    }

    @Override
    public void customizePod(RolePlan role, String index, PodTemplateSpec pod) {
        new EtPods(plan, options.kubexec()).complete(role.type(), pod);
    }

    @Override
    public String boardName() {
        return plan.name() + "-tensorboard";
    }

    @Override
    public Map<String, String> boardLabels() {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("training-job-role", "tensorboard");
        return labels;
    }
}
