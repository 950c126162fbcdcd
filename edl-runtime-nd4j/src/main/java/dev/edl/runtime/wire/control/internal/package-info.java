/** Messages and bulk transfers of the control plane. Start at {@link dev.edl.runtime.wire.control.internal.RpcPeer}. */
@NullMarked
package dev.edl.runtime.wire.control.internal;

import org.jspecify.annotations.NullMarked;
