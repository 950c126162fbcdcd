/**
 * Values behind a job's state. Start at {@link dev.edl.reconcile.internal.SlotMap}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.reconcile.internal;

import org.jspecify.annotations.NullMarked;
