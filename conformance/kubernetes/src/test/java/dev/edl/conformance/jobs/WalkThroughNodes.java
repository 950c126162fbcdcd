package dev.edl.conformance.jobs;

import dev.edl.conformance.OnCluster;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Runs the tutorial on real nodes, with pods of a third of a node. */
@OnCluster("--nodes 3")
class WalkThroughNodes {
    @Test
    void the_tutorial_on_real_nodes() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Quantity cpu = client.nodes()
                    .withName("node-1")
                    .get()
                    .getStatus()
                    .getAllocatable()
                    .get("cpu");
            // Three fit a node, and four do not.
            int milli = Quantity.getAmountInBytes(cpu)
                    .multiply(BigDecimal.valueOf(300))
                    .intValue();
            new Tutorial(client, "edl-tutorial", "edl.local/busybox:1", "cpu=" + milli + "m,memory=64Mi").walk();
        }
    }
}
