/**
 * ElasticDL's tutorial as one program, unchanged between this JVM, processes and pods. Start at
 * {@link dev.edl.examples.mnist.TrainMnist}.
 */
@NullMarked
package dev.edl.examples.mnist;

import org.jspecify.annotations.NullMarked;
