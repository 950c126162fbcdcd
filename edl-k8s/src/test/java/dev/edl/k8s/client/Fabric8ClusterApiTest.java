package dev.edl.k8s.client;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fabric8's client fulfills the contract, as far as fabric8's mock server supports it. The mock has no grace periods,
 * no uids in deletions and no owners, and gives other reasons for a refusal.
 */
@MockCluster
class Fabric8ClusterApiTest {
    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a pod without a node goes at once",
                "a list is as new as its request",
                "a watch shows its labels only",
            })
    void the_client_keeps_the_contract(String check) {
        ApiContract contract =
                new ApiContract(ClusterApi.of(client, "test"), "main:1", what -> Polled.until(check, what));

        contract.run(check);
    }
}
