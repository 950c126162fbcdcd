// cluster: --nodes 0 --fake 3 --fake-size cpu=7900m,memory=30Gi alone
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** The tutorial with its own sizes, on fake nodes. */
final class WalkThrough {
    private WalkThrough() {}

    public static void main(String[] args) throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new Tutorial(client, "edl-tutorial", "gcr.io/acme/elasticdl:mnist", "cpu=2,memory=2048Mi").walk();
        }
        System.exit(0);
    }
}
