/** Shared parts of the examples: flags, charts, files. Start at {@link dev.edl.examples.TrainingFlags}. */
@NullMarked
package dev.edl.examples;

import org.jspecify.annotations.NullMarked;
