package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/** {@link PodAssertions} that collect their failures, for custom soft assertions. */
public interface PodSoftAssertionsProvider extends SoftAssertionsProvider {
    /** Creates soft assertions on a pod template. */
    default PodAssert assertThat(@Nullable PodTemplateSpec actual) {
        return PodAssertions.assertThat(actual).soft(this);
    }

    /** Creates soft assertions on a pod. */
    default PodAssert assertThat(@Nullable Pod actual) {
        return PodAssertions.assertThat(actual).soft(this);
    }
}
