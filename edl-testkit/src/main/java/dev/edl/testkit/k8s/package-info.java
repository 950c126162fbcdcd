/** Assertions on pods; the only ones that need Kubernetes' types, which edl-k8s brings. */
@NullMarked
package dev.edl.testkit.k8s;

import org.jspecify.annotations.NullMarked;
