/**
 * The training runtime: a {@link dev.edl.runtime.Model} and its data, trained by the replicas of a job.
 *
 * <p>This package holds the vocabulary: models, parameters, batches, trainings and their results. The packages below it
 * hold one mechanism each: {@code inprocess} runs a training in this JVM, {@code program} as processes that {@code wire}
 * connects, {@code engine} has its roles, {@code data} reads records, {@code task} hands out work, {@code ps} keeps parameters, {@code model} computes gradients on ND4J.
 *
 * <p>Start at {@link dev.edl.runtime.Training}.
 */
@NullMarked
package dev.edl.runtime;

import org.jspecify.annotations.NullMarked;
