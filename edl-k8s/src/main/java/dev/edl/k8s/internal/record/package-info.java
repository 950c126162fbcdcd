/**
 * The ConfigMap that keeps a job. Start at {@code JobRecord}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.internal.record;

import org.jspecify.annotations.NullMarked;
