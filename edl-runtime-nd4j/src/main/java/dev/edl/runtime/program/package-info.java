/**
 * Trainings whose master, parameter servers and workers are processes. Start at
 * {@link dev.edl.runtime.program.TrainingProgram}.
 */
@NullMarked
package dev.edl.runtime.program;

import org.jspecify.annotations.NullMarked;
