/**
 * Internal parts of the control loop. Start at {@link dev.edl.exec.internal.LoopState}, which its threads share.
 * Internal: may change without notice.
 */
@NullMarked
package dev.edl.exec.internal;

import org.jspecify.annotations.NullMarked;
