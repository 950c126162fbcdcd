package dev.edl.runtime.proof;

import dev.edl.runtime.internal.text.CountText;

/**
 * Counts of how often the records of one epoch or evaluation were completed. Reopened completions do not count.
 *
 * @param pass the epoch, counted from 0, or the model version
 * @param once number of records completed exactly once
 * @param never number of records not completed
 * @param repeated number of records completed more than once
 */
public record RecordCoverage(TaskType type, long pass, long once, long never, long repeated) {
    /** Returns the number of records that should be completed. */
    public long records() {
        return once + never + repeated;
    }

    /** Returns whether every record was completed exactly once. */
    public boolean exact() {
        return never == 0 && repeated == 0;
    }

    /**
     * Returns text for people, for example {@code epoch 2: 1,373 records once, 64 never, 0 more than once}; here
     * epochs are counted from 1.
     */
    @Override
    public String toString() {
        return switch (type) {
                    case TRAINING -> "epoch ";
                    case EVALUATION -> "evaluation of version ";
                    case PREDICTION -> "prediction by version ";
                }
                + (type == TaskType.TRAINING ? pass + 1 : pass) + ": "
                + CountText.count(once, "record") + " once, " + CountText.number(never) + " never, "
                + CountText.number(repeated) + " more than once";
    }
}
