/** Shared parts of all figures: rounds, settings, peers. Start at {@link dev.edl.bench.harness.Measurement}. */
@NullMarked
package dev.edl.bench.harness;

import org.jspecify.annotations.NullMarked;
