/** The main example: handwritten digits, trained elastically in this JVM or by processes. Start at {@link dev.edl.examples.digits.TrainDigits}. */
@NullMarked
package dev.edl.examples.digits;

import org.jspecify.annotations.NullMarked;
