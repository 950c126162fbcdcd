package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;

/** Objects of Kueue, as a client finds them. */
public final class KueueObjects {
    private KueueObjects() {}

    /**
     * Returns how a client finds a kind of Kueue's objects, without a request.
     *
     * @param kind {@code LocalQueue}, {@code ClusterQueue} or {@code Workload}
     */
    public static ResourceDefinitionContext kind(String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("kueue.x-k8s.io")
                .withVersion("v1beta2")
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(!kind.equals("ClusterQueue"))
                .build();
    }
}
