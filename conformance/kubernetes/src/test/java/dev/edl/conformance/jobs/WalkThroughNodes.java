// cluster: --nodes 3
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.math.BigDecimal;

/** The tutorial on real nodes, in pods of a third of a node. */
final class WalkThroughNodes {
    private WalkThroughNodes() {}

    public static void main(String[] args) throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Quantity cpu = client.nodes().withName("node-1").get().getStatus().getAllocatable().get("cpu");
            // Three fit a node, and four do not.
            int milli = Quantity.getAmountInBytes(cpu).multiply(BigDecimal.valueOf(300)).intValue();
            new Tutorial(client, "edl-tutorial", "edl.local/busybox:1", "cpu=" + milli + "m,memory=64Mi").walk();
        }
        System.exit(0);
    }
}
