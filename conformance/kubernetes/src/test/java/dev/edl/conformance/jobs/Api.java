// cluster: --fake 1
import dev.edl.k8s.internal.api.ApiContract;
import dev.edl.k8s.internal.api.ClusterApi;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** A real API server keeps the contract that the in-memory one of the tests keeps. */
final class Api {
    private static final String NAMESPACE = "edl-api";

    private Api() {}

    public static void main(String[] args) {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            ApiContract contract = new ApiContract(
                    ClusterApi.of(client, NAMESPACE),
                    "edl.local/busybox:1",
                    what -> Checks.soon("the next step of the contract", () -> client.pods()
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems(), what));
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
