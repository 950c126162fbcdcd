/**
 * Internal parts of the controller: queue, lease, admission. Start at {@code WorkQueue}. Not public API: they change
 * without notice.
 */
@NullMarked
package dev.edl.operators.controller.internal;

import org.jspecify.annotations.NullMarked;
