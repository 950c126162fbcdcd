/**
 * ElasticDL's tutorial as one program, which is the same in this JVM, as processes and in pods. Start at {@link
 * dev.edl.examples.mnist.TrainMnist}.
 */
@NullMarked
package dev.edl.examples.mnist;

import org.jspecify.annotations.NullMarked;
