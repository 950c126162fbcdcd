/**
 * Container images of Java programs, built from their class path without Docker.
 *
 * <p>Start at {@link dev.edl.image.ProgramImage}.
 */
@NullMarked
package dev.edl.image;

import org.jspecify.annotations.NullMarked;
