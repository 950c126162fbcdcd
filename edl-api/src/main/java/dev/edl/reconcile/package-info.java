/**
 * Reconciler of a job: a pure, total, deterministic function of plan, state, observation and time. Start at
 * {@link dev.edl.reconcile.Reconciler}.
 */
@NullMarked
package dev.edl.reconcile;

import org.jspecify.annotations.NullMarked;
