/** Figures of training over processes. Start at {@link dev.edl.bench.remote.ExchangeTime}. */
@NullMarked
package dev.edl.bench.remote;

import org.jspecify.annotations.NullMarked;
