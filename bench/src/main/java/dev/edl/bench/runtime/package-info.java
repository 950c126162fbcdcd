/** Figures of the training runtime. Start at {@link dev.edl.bench.runtime.WholeTraining}. */
@NullMarked
package dev.edl.bench.runtime;

import org.jspecify.annotations.NullMarked;
