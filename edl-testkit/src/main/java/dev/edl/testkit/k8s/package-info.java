/**
 * Assertions on pods and other Kubernetes objects. Unlike the other assertions they need Kubernetes' types, which
 * edl-k8s provides. Start at {@link dev.edl.testkit.k8s.PodAssertions}.
 */
@NullMarked
package dev.edl.testkit.k8s;

import org.jspecify.annotations.NullMarked;
