/**
 * The contract of a model: its parameters, the batches that it reads, its gradients and its metrics. Start at
 * {@link dev.edl.runtime.model.Model}.
 */
@NullMarked
package dev.edl.runtime.model;

import org.jspecify.annotations.NullMarked;
