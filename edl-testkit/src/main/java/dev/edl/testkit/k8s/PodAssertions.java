package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the assertions on pods.
 *
 * <pre>{@code
 * import static dev.edl.testkit.k8s.PodAssertions.*;
 *
 * assertThat(pod).hasPriorityClass("low").hasRequest("gpu", "1").hasEnv("WORKER_ID", "2").isRestricted();
 * }</pre>
 *
 * <p>The assertions need edl-k8s, or fabric8's Kubernetes types from another jar, on the class path of the tests, but
 * no cluster and no connection. The static import can stand beside those of {@code EdlAssertions} and of AssertJ.
 */
public final class PodAssertions {
    private PodAssertions() {}

    /** Creates assertions on a pod template. */
    public static PodAssert assertThat(@Nullable PodTemplateSpec actual) {
        return new PodAssert(actual);
    }

    /** Creates assertions on a pod: its metadata and spec, without its status. */
    public static PodAssert assertThat(@Nullable Pod actual) {
        return new PodAssert(actual == null ? null : WorkloadPodTemplate.template(actual));
    }
}
