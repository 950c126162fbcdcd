/** Figures of composing and planning a job. Start at {@link dev.edl.bench.composition.CompositionBenchmark}. */
@NullMarked
package dev.edl.bench.composition;

import org.jspecify.annotations.NullMarked;
