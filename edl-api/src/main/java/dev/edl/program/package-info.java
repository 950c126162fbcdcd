/**
 * Java programs that replicas run: their class path and main class. Start at
 * {@link dev.edl.program.ProgramClassPath}.
 */
@NullMarked
package dev.edl.program;

import org.jspecify.annotations.NullMarked;
