/** Trainings in MLflow, by its REST interface. Start at {@link dev.edl.mlflow.MlflowTracking}. */
@NullMarked
package dev.edl.mlflow;

import org.jspecify.annotations.NullMarked;
