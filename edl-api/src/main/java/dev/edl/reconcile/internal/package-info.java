/**
 * Internal types behind a job's state. Start at {@link dev.edl.reconcile.internal.SlotMap}. Internal: may change
 * without notice.
 */
@NullMarked
package dev.edl.reconcile.internal;

import org.jspecify.annotations.NullMarked;
