/** Shared parts of the examples: flags, charts, files. Start at {@code Flags}. */
@NullMarked
package dev.edl.examples;

import org.jspecify.annotations.NullMarked;
