/** Pods as the replicas of a job. Start at {@code PodSubstrate}. Internal: changes without notice. */
@NullMarked
package dev.edl.k8s.internal.pods;

import org.jspecify.annotations.NullMarked;
