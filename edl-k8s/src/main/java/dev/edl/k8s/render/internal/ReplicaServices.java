package dev.edl.k8s.render.internal;

import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;

/** Services that give replicas their names in the cluster; each selects its pod by labels. */
public final class ReplicaServices {
    private ReplicaServices() {}

    /**
     * Returns a headless Service, whose name resolves to the pod's own address.
     *
     * @param early whether a pod that is not ready resolves, because processes look each other up while they start
     */
    public static Service headless(
            JobPlan plan,
            Endpoint endpoint,
            Map<String, String> labels,
            Map<String, String> selector,
            String port,
            boolean early) {
        var spec = service(plan, endpoint, labels, selector, port).editSpec().withClusterIP("None");
        return (early ? spec.withPublishNotReadyAddresses(true) : spec)
                .endSpec()
                .build();
    }

    /** Returns a Service with its own address, of Kubernetes' default type. */
    public static Service balanced(JobPlan plan, Endpoint endpoint, Map<String, String> labels, String port) {
        return service(plan, endpoint, labels, labels, port).build();
    }

    private static ServiceBuilder service(
            JobPlan plan, Endpoint endpoint, Map<String, String> labels, Map<String, String> selector, String port) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(name(endpoint))
                .withNamespace(plan.namespace())
                .withLabels(labels)
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withNewSpec()
                .withSelector(selector)
                .addNewPort()
                .withName(port)
                .withPort(endpoint.port())
                .endPort()
                .endSpec();
    }

    public static String name(Endpoint endpoint) {
        int dot = endpoint.host().indexOf('.');
        return dot < 0 ? endpoint.host() : endpoint.host().substring(0, dot);
    }
}
