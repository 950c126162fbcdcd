/**
 * The training runtime: a {@link dev.edl.runtime.Model} and its data, trained by the replicas of a job.
 *
 * <p>This package holds the vocabulary (models, parameters, batches) and the entry points; the packages below it hold
 * one mechanism each: {@code data} reads records, {@code task} hands out work, {@code ps} keeps parameters,
 * {@code model} computes gradients on ND4J.
 */
@NullMarked
package dev.edl.runtime;

import org.jspecify.annotations.NullMarked;
