/**
 * Parts of the task ledger: order, leases, codecs, journal. Start at {@code TrainingPlan}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.task.internal;

import org.jspecify.annotations.NullMarked;
