/**
 * Threads and node watch that the runs of one executor share. Start at {@code RequestThreads}. Internal: changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.internal.runs;

import org.jspecify.annotations.NullMarked;
