package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/**
 * Where assertions on pods begin.
 *
 * <pre>{@code
 * import static dev.edl.testkit.k8s.PodAssertions.*;
 *
 * assertThat(pod).hasPriorityClass("low").hasRequest("gpu", "1").hasEnv("WORKER_ID", "2").isRestricted();
 * }</pre>
 *
 * <p>They need edl-k8s, or fabric8's Kubernetes types by other means, on the class path of the tests; no cluster and no
 * connection. The import goes beside those of {@code EdlAssertions} and of AssertJ.
 */
public final class PodAssertions {
    private PodAssertions() {}

    /** Assertions on a pod template. */
    public static PodAssert assertThat(@Nullable PodTemplateSpec actual) {
        return new PodAssert(actual);
    }

    /** Assertions on a pod: on its metadata and its spec; its status is not looked at. */
    public static PodAssert assertThat(@Nullable Pod actual) {
        return new PodAssert(actual == null ? null : PodsOf.template(actual));
    }
}
