/**
 * Measures EDL's speed against alternatives on the same machine; {@code bench/run} starts it. Start at
 * {@link dev.edl.bench.Bench}.
 */
@NullMarked
package dev.edl.bench;

import org.jspecify.annotations.NullMarked;
