package dev.edl.testkit.k8s;

import dev.edl.k8s.render.Manifests;
import org.jspecify.annotations.Nullable;

/**
 * Where assertions on all of a job's Kubernetes objects begin; a class of its own, as it needs edl-k8s, while
 * {@link PodAssertions} needs Kubernetes' types only.
 *
 * <pre>{@code
 * import static dev.edl.testkit.k8s.ManifestAssertions.*;
 *
 * assertThat(Manifests.of(job.plan())).has("Service", "elasticdl-mnist-ps-0").grantsAtMost().matchesGolden();
 * }</pre>
 */
public final class ManifestAssertions {
    private ManifestAssertions() {}

    /** Assertions on every object of a plan. */
    public static ManifestsAssert assertThat(@Nullable Manifests actual) {
        return new ManifestsAssert(actual);
    }
}
