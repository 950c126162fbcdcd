/** The convolutional network of the model zoo on images of digits. */
@NullMarked
package dev.edl.examples.cnn;

import org.jspecify.annotations.NullMarked;
