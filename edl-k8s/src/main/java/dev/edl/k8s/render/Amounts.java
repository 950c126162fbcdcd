package dev.edl.k8s.render;

import dev.edl.Resources;
import dev.edl.spec.RoleTemplate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a role asks for and may use at most, as Kubernetes has it. */
final class Amounts {
    private Amounts() {}

    static ResourceRequirements of(RoleTemplate template) {
        ResourceRequirementsBuilder built = new ResourceRequirementsBuilder();
        template.requests().ifPresent(requests -> built.withRequests(quantities(requests)));
        return built.withLimits(quantities(template.effectiveLimits())).build();
    }

    private static Map<String, Quantity> quantities(Resources resources) {
        Map<String, Quantity> quantities = new LinkedHashMap<>();
        resources.amounts().forEach((name, amount) -> quantities.put(name, new Quantity(amount)));
        return quantities;
    }
}
