/**
 * Extension points for modules that run jobs on Kubernetes in another way than as plain pods.
 *
 * <p>Start at {@link dev.edl.k8s.spi.WorkerScalingProvider}. Programs that only run jobs do not need it.
 */
@NullMarked
package dev.edl.k8s.spi;

import org.jspecify.annotations.NullMarked;
