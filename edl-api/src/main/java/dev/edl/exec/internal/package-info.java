/**
 * Parts of the control loop. Start at {@link dev.edl.exec.internal.LoopState}, what its threads share. Not for use by others:
 * it changes without notice.
 */
@NullMarked
package dev.edl.exec.internal;

import org.jspecify.annotations.NullMarked;
