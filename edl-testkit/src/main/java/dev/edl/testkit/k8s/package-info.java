/**
 * Assertions on pods, the only ones that need Kubernetes' types; edl-k8s provides these. Start at
 * {@link dev.edl.testkit.k8s.PodAssertions}.
 */
@NullMarked
package dev.edl.testkit.k8s;

import org.jspecify.annotations.NullMarked;
