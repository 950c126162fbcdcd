/** A training whose master, parameter servers and workers are processes. Start at {@code EdlMain}. */
@NullMarked
package dev.edl.runtime.remote;

import org.jspecify.annotations.NullMarked;
