/** Reads queues from the cluster. */
@NullMarked
package dev.edl.k8s.queue.internal;

import org.jspecify.annotations.NullMarked;
