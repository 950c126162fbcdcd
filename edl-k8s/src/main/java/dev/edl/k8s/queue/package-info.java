/** Queues of Kueue that admit jobs. Start at {@link dev.edl.k8s.queue.JobQueue}. */
@NullMarked
package dev.edl.k8s.queue;

import org.jspecify.annotations.NullMarked;
