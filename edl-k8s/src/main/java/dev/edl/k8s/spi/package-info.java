/**
 * What modules build on that run jobs on Kubernetes in another way than as plain pods. Start at {@link
 * dev.edl.k8s.spi.WorkerScalingProvider}. Programs that only run jobs need none of it.
 */
@NullMarked
package dev.edl.k8s.spi;

import org.jspecify.annotations.NullMarked;
