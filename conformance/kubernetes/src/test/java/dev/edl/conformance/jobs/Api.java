package dev.edl.conformance.jobs;

import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.client.ApiContract;
import dev.edl.k8s.client.ClusterApi;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;

/** Checks that a real API server keeps the contract of the tests' in-memory one. */
@OnCluster("--fake 1")
class Api {
    private static final String NAMESPACE = "edl-api";

    @Test
    void a_real_api_server_keeps_the_contract_of_the_in_memory_one() {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            ApiContract contract = new ApiContract(
                    ClusterApi.of(client, NAMESPACE),
                    "edl.local/busybox:1",
                    what -> Checks.soon(
                            "the next step of the contract",
                            () -> client.pods().inNamespace(NAMESPACE).list().getItems(),
                            what));
            ApiContract.checks().forEach((name, check) -> {
                System.out.println(name);
                check.run(contract);
            });
            System.out.println("kubernetes: " + ApiContract.checks().size()
                    + " points of the in-memory API server's contract hold");
            client.namespaces().withName(NAMESPACE).delete();
        }
    }
}
