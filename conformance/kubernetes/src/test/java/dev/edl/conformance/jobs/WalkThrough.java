package dev.edl.conformance.jobs;

import dev.edl.conformance.OnCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;

/** Runs the tutorial with its own sizes, on fake nodes. */
@OnCluster(value = "--nodes 0 --fake 3 --fake-size cpu=7900m,memory=30Gi", alone = true)
class WalkThrough {
    @Test
    void the_tutorial_on_fake_nodes() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new Tutorial(client, "edl-tutorial", "gcr.io/acme/elasticdl:mnist", "cpu=2,memory=2048Mi").walk();
        }
    }
}
