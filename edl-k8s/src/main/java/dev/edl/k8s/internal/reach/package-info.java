/** How a cluster is found and whether it answers. Not for use by others: it changes without notice. */
@NullMarked
package dev.edl.k8s.internal.reach;

import org.jspecify.annotations.NullMarked;
