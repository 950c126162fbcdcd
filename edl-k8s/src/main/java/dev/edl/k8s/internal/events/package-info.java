/**
 * Kubernetes Events about jobs, as {@code kubectl describe} shows them. Start at
 * {@link dev.edl.k8s.internal.events.EventRecorder}. Internal: changes without notice.
 */
@NullMarked
package dev.edl.k8s.internal.events;

import org.jspecify.annotations.NullMarked;
