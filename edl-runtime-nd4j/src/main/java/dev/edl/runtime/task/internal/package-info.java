/**
 * Internal parts of the task ledger: order, leases, codecs. Start at {@code TrainingPlan}. May change without
 * notice.
 */
@NullMarked
package dev.edl.runtime.task.internal;

import org.jspecify.annotations.NullMarked;
