/**
 * Helpers of the checks: what they read from the job and the cluster. Start at {@code PodSet}. Internal: changes without
 * notice.
 */
@NullMarked
package dev.edl.k8s.preflight.internal;

import org.jspecify.annotations.NullMarked;
