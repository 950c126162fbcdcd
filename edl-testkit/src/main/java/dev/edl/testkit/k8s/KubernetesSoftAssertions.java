package dev.edl.testkit.k8s;

import dev.edl.k8s.render.Manifests;
import dev.edl.testkit.EdlSoftAssertions;
import dev.edl.testkit.EdlSoftAssertionsProvider;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.StandardSoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * {@link EdlSoftAssertions} with assertions on pods and manifests; AssertJ's {@code SoftAssertionsExtension} injects a
 * collector into a test. A collector is used by one thread.
 */
public final class KubernetesSoftAssertions extends AbstractSoftAssertions
        implements EdlSoftAssertionsProvider, PodSoftAssertionsProvider, StandardSoftAssertionsProvider {
    /** Creates an empty collector; {@code assertAll()} reports its failures. */
    public KubernetesSoftAssertions() {}

    /** Creates soft assertions on all Kubernetes objects of a plan. */
    public ManifestsAssert assertThat(@Nullable Manifests actual) {
        return ManifestAssertions.assertThat(actual).soft(this);
    }
}
