package dev.edl.k8s.render;

import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;
import java.util.TreeMap;

/** The name of a replica in the cluster: a headless Service, which finds its pod by labels. */
final class Services {
    private Services() {}

    /**
     * A replica's Service.
     *
     * @param selector the labels that only its pod has
     */
    static Service of(JobPlan plan, Endpoint endpoint, Map<String, String> selector) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(name(endpoint))
                .withNamespace(plan.namespace())
                .withLabels(plan.replica(endpoint.role(), endpoint.index(), endpoint.index())
                        .labels())
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withNewSpec()
                .withClusterIP("None")
                // Processes look each other up while they start, long before any of them is ready.
                .withPublishNotReadyAddresses(true)
                .withSelector(new TreeMap<>(selector))
                .addNewPort()
                .withName("edl")
                .withPort(endpoint.port())
                .endPort()
                .endSpec()
                .build();
    }

    static String name(Endpoint endpoint) {
        int dot = endpoint.host().indexOf('.');
        return dot < 0 ? endpoint.host() : endpoint.host().substring(0, dot);
    }
}
