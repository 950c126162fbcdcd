/** What the examples share: flags, charts, files. Start at {@code Flags}. */
@NullMarked
package dev.edl.examples;

import org.jspecify.annotations.NullMarked;
