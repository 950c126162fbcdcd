/**
 * Parts of the controller: queue, lease, admission. Start at {@code WorkQueue}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.operators.controller.internal;

import org.jspecify.annotations.NullMarked;
