package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Renders the objects of the first TfJob operator, of the end of 2017: one Job and one Service per replica. Parameter
 * servers without image, command and arguments are its default ones.
 */
record TfJobRenderer(JobPlan plan, ProfileOptions options) implements ProfileRenderer {
    private static final int KEPT = 40;
    private static final String IMAGE = "tensorflow/tensorflow:1.3.0";

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
        return "tensorflow";
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
    public Optional<String> image(RolePlan role) {
        return isDefault(role) ? Optional.of(tfImage()) : Optional.empty();
    }

    private String tfImage() {
        return options.tfImage().orElse(IMAGE);
    }

    @Override
    public List<Endpoint> endpointsWithService() {
        return plan.roles().stream()
                .flatMap(role -> plan.endpoints(role).stream())
                .toList();
    }

    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        return ReplicaServices.balanced(plan, endpoint, selector, "tf-port");
    }

    @Override
    public List<HasMetadata> profileObjects() {
        return plan.roles().stream().anyMatch(TfJobRenderer::isDefault)
                ? List.of(DefaultParameterServer.program(plan))
                : List.of();
    }

    @Override
    public void customizePod(RolePlan role, String index, PodTemplateSpec pod) {
        if (isDefault(role)) {
            DefaultParameterServer.complete(plan, index, pod);
        }
    }

    /**
     * Returns whether the operator would run its default parameter server, because the role has no image, command and
     * arguments. A PS with its own program needs an image.
     */
    private static boolean isDefault(RolePlan role) {
        return role.type() == RoleType.PS
                && role.template().image().isEmpty()
                && role.template().command().isEmpty()
                && role.template().args().isEmpty();
    }

    @Override
    public String boardName() {
        String kept = plan.name().substring(0, Math.min(plan.name().length(), KEPT));
        return kept + "-tensorboard-" + plan.runId();
    }

    @Override
    public Map<String, String> boardLabels() {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("app", "tensorboard");
        return labels;
    }

    @Override
    public Optional<String> boardImage() {
        return Optional.of(tfImage());
    }
}
