/** The main example: handwritten digits, trained elastically in this JVM. */
@NullMarked
package dev.edl.examples.digits;

import org.jspecify.annotations.NullMarked;
