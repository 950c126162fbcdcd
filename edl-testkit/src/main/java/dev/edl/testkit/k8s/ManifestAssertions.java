package dev.edl.testkit.k8s;

import dev.edl.k8s.render.Manifests;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the assertions on all Kubernetes objects of a job. A separate class because it needs edl-k8s, while
 * {@link PodAssertions} needs only Kubernetes' types.
 *
 * <pre>{@code
 * import static dev.edl.testkit.k8s.ManifestAssertions.*;
 *
 * assertThat(Manifests.of(job.plan())).has("Service", "elasticdl-mnist-ps-0").grantsAtMost().matchesGolden();
 * }</pre>
 */
public final class ManifestAssertions {
    private ManifestAssertions() {}

    /** Creates assertions on all Kubernetes objects of a plan. */
    public static ManifestsAssert assertThat(@Nullable Manifests actual) {
        return new ManifestsAssert(actual);
    }
}
