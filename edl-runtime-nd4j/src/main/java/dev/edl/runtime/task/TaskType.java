package dev.edl.runtime.task;

/** What a worker does with the records of a task. */
public enum TaskType {
    /** Compute gradients and push them. */
    TRAINING,
    /** Measure a pinned version of the model. */
    EVALUATION,
    /** Compute the outputs of a version of the model. */
    PREDICTION
}
