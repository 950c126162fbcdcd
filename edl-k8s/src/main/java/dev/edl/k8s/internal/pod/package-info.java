/** How a pod of a replica is read. Not for use by others: it changes without notice. */
@NullMarked
package dev.edl.k8s.internal.pod;

import org.jspecify.annotations.NullMarked;
