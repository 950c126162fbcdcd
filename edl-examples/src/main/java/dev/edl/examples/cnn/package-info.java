/** The convolutional network of the model zoo on images of digits. Start at {@link dev.edl.examples.cnn.TrainCnn}. */
@NullMarked
package dev.edl.examples.cnn;

import org.jspecify.annotations.NullMarked;
