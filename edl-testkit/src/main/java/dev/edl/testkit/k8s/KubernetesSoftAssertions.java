package dev.edl.testkit.k8s;

import dev.edl.k8s.render.Manifests;
import dev.edl.testkit.EdlSoftAssertions;
import dev.edl.testkit.EdlSoftAssertionsProvider;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.StandardSoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * What {@link EdlSoftAssertions} are, with assertions on pods and manifests: AssertJ's {@code SoftAssertionsExtension}
 * injects them. Used by one thread.
 */
public final class KubernetesSoftAssertions extends AbstractSoftAssertions
        implements EdlSoftAssertionsProvider, PodSoftAssertionsProvider, StandardSoftAssertionsProvider {
    /** Assertions that have collected nothing; {@code assertAll()} tells what they will. */
    public KubernetesSoftAssertions() {}

    /** Soft assertions on every object of a plan. */
    public ManifestsAssert assertThat(@Nullable Manifests actual) {
        return ManifestAssertions.assertThat(actual).soft(this);
    }
}
