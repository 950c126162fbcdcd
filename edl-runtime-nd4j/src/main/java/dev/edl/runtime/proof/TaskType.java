package dev.edl.runtime.proof;

/** Kind of work on the records of a task. */
public enum TaskType {
    /** Compute gradients and push them. */
    TRAINING,
    /** Evaluate a pinned version of the model. */
    EVALUATION,
    /** Compute the outputs of a model version. */
    PREDICTION
}
