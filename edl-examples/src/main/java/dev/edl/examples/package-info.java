/** What the examples share: flags, charts, files. */
@NullMarked
package dev.edl.examples;

import org.jspecify.annotations.NullMarked;
