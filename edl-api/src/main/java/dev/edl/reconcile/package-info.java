/** The core: what to do next, from plan, state, observation and time; pure, total, deterministic. Start at {@link dev.edl.reconcile.Reconciler}. */
@NullMarked
package dev.edl.reconcile;

import org.jspecify.annotations.NullMarked;
