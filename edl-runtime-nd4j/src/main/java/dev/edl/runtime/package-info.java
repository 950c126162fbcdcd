/**
 * Training runtime: trains a {@link dev.edl.runtime.model.Model} on its data with the replicas of a job.
 *
 * <p>This package contains the user's vocabulary: trainings, evaluations, predictions and their results. It does not
 * depend on the packages that run them; they implement {@link dev.edl.runtime.EngineProvider}. Each subpackage contains
 * one mechanism:
 *
 * <ul>
 *   <li>{@code data} reads records; {@code model} is the contract of models; {@code zoo} computes gradients on ND4J;
 *   <li>{@code task} assigns work; {@code ps} keeps parameters; {@code engine} contains the roles;
 *   <li>{@code inprocess} runs a training in this JVM;
 *   <li>{@code program} runs it as processes, which {@code wire} connects.
 * </ul>
 *
 * <p>Start at {@link dev.edl.runtime.Training}.
 */
@NullMarked
package dev.edl.runtime;

import org.jspecify.annotations.NullMarked;
