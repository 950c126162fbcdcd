/**
 * Runs jobs through operators of the cluster, as custom resources. Start at
 * {@link dev.edl.operators.CustomResourceExecutor}.
 */
@NullMarked
package dev.edl.operators;

import org.jspecify.annotations.NullMarked;
