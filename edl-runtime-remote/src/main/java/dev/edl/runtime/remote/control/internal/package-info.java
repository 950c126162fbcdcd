/** Messages and bytes of the control plane. Start at {@link dev.edl.runtime.remote.control.internal.Talk}. */
@NullMarked
package dev.edl.runtime.remote.control.internal;

import org.jspecify.annotations.NullMarked;
