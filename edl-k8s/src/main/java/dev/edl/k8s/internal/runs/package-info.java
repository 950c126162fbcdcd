/**
 * What the runs of one executor share: threads and watched nodes. Start at {@code RequestThreads}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.internal.runs;

import org.jspecify.annotations.NullMarked;
