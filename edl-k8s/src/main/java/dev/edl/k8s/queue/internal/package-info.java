/** Reads queues from the cluster. Start at {@link dev.edl.k8s.queue.internal.QueueReader}. */
@NullMarked
package dev.edl.k8s.queue.internal;

import org.jspecify.annotations.NullMarked;
