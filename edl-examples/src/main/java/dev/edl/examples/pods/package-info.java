/**
 * Example of a program that trains its own class in pods, as docs/cluster.md begins. Start at
 * {@link dev.edl.examples.pods.TrainInPods}.
 */
@NullMarked
package dev.edl.examples.pods;

import org.jspecify.annotations.NullMarked;
