package dev.edl.k8s.render.internal;

import dev.edl.k8s.render.Accelerator;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests and limits of a role as Kubernetes ResourceRequirements. */
public final class ContainerResources {
    private ContainerResources() {}

    /** Returns the requirements of a role's container; empty when it requests and limits nothing. */
    public static Optional<ResourceRequirements> of(RoleTemplate template, List<Accelerator> accelerators) {
        ResourceRequirements amounts = new ResourceRequirementsBuilder()
                .withRequests(quantities(template.requests().orElse(Resources.of()), accelerators))
                .withLimits(quantities(template.effectiveLimits(), accelerators))
                .build();
        return amounts.getLimits().isEmpty() && amounts.getRequests().isEmpty()
                ? Optional.empty()
                : Optional.of(amounts);
    }

    private static Map<String, Quantity> quantities(Resources resources, List<Accelerator> accelerators) {
        Map<String, Quantity> quantities = new LinkedHashMap<>();
        resources.amounts().forEach((name, amount) -> quantities.put(name, new Quantity(amount)));
        accelerators.forEach(accelerator ->
                quantities.put(accelerator.resource(), new Quantity(Integer.toString(accelerator.count()))));
        return quantities;
    }
}
