/** A training whose master, parameter servers and workers are processes. Start at {@link dev.edl.runtime.remote.TrainingProgram}. */
@NullMarked
package dev.edl.runtime.remote;

import org.jspecify.annotations.NullMarked;
