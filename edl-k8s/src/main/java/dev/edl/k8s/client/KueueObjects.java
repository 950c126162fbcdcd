package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** Returns why a LocalQueue or ClusterQueue admits nothing, {@code Hold} or {@code HoldAndDrain}; mostly empty. */
    public static Optional<String> stopPolicy(GenericKubernetesResource queue) {
        @Nullable Object policy = queue.get("spec", "stopPolicy");
        return Optional.ofNullable(policy).map(String::valueOf).filter(one -> !one.equals("None"));
    }
}
