/**
 * Runs jobs by handing them to an operator of the cluster as a custom resource. Start at {@link
 * dev.edl.operators.CustomResourceExecutor}.
 */
@NullMarked
package dev.edl.operators;

import org.jspecify.annotations.NullMarked;
