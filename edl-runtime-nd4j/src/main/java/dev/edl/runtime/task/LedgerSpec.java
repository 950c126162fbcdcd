package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Specification of a ledger's work: the data, its division into tasks, and the number of epochs.
 *
 * <pre>{@code
 * LedgerSpec spec = LedgerSpec.builder()
 *     .training(dataset.shards())
 *     .minibatchSize(64)
 *     .epochs(5)
 *     .build();
 * }</pre>
 *
 * <p>Two equal specs divide and order the work identically on every machine. Immutable.
 *
 * @param trainingShards shards to train on, with unique names and at least one record in all; empty if nothing is
 *     trained
 * @param evaluationShards shards to evaluate on or to predict, with unique names; empty if there are none
 * @param minibatchSize number of records in a minibatch, at least one
 * @param minibatchesPerTask number of minibatches in a task, at least one; the last task of a shard may have fewer
 * @param epochs number of passes over the training data, at least one
 * @param seed seed of the random order of tasks
 * @param shuffle whether each epoch has its own random order of tasks; if not, every epoch hands out tasks in the
 *     dataset's order
 * @param leaseTimeout how long a worker may hold a task without renewing its lease; positive, at most 365 days
 * @param maxTaskFailures number of failures that fails the training, at least one; counted for each range of records
 *     and epoch, and from zero again after the range was complete, because a lost server can make it incomplete
 * @param maxMinibatches maximum number of minibatches to train in all epochs together; 0 for no bound
 * @param predicts whether the tasks over {@code evaluationShards} are predictions; if not, they are evaluations
 */
public record LedgerSpec(
        List<DataShard> trainingShards,
        List<DataShard> evaluationShards,
        int minibatchSize,
        int minibatchesPerTask,
        int epochs,
        long seed,
        boolean shuffle,
        Duration leaseTimeout,
        int maxTaskFailures,
        long maxMinibatches,
        boolean predicts) {
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    /**
     * Copies the lists and validates all values.
     *
     * @throws IllegalArgumentException with all mistakes in one message
     */
    public LedgerSpec {
        trainingShards = List.copyOf(trainingShards);
        evaluationShards = List.copyOf(evaluationShards);
        List<String> mistakes = new ArrayList<>();
        atLeastOne(mistakes, "minibatchSize", minibatchSize);
        atLeastOne(mistakes, "minibatchesPerTask", minibatchesPerTask);
        atLeastOne(mistakes, "epochs", epochs);
        atLeastOne(mistakes, "maxTaskFailures", maxTaskFailures);
        if (maxMinibatches < 0) {
            mistakes.add("maxMinibatches must be at least 0, where 0 means no bound, was " + maxMinibatches);
        }
        if (leaseTimeout.isNegative() || leaseTimeout.isZero() || leaseTimeout.compareTo(LONGEST_LEASE) > 0) {
            mistakes.add("leaseTimeout must be positive and at most 365 days, for example Duration.ofMinutes(5), was "
                    + leaseTimeout);
        }
        checkShards(mistakes, "trainingShards", trainingShards, Math.max(1, minibatchSize));
        checkShards(mistakes, "evaluationShards", evaluationShards, Math.max(1, minibatchSize));
        if (trainingShards.stream().allMatch(s -> s.records() == 0)
                && (!trainingShards.isEmpty() || evaluationShards.stream().allMatch(s -> s.records() == 0))) {
            mistakes.add("trainingShards must hold at least 1 record, was " + trainingShards);
        }
        if (mistakes.isEmpty() && Long.MAX_VALUE / epochs < records(trainingShards)) {
            mistakes.add("epochs times training records must be at most " + Long.MAX_VALUE + ", was " + epochs
                    + " times " + records(trainingShards));
        }
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException("the ledger's spec has "
                    + (mistakes.size() == 1 ? "a mistake" : mistakes.size() + " mistakes") + ":\n  "
                    + String.join("\n  ", mistakes));
        }
    }

    private static void atLeastOne(List<String> mistakes, String name, int value) {
        if (value < 1) {
            mistakes.add(name + " must be at least 1, was " + value);
        }
    }

    private static void checkShards(List<String> mistakes, String name, List<DataShard> shards, int minibatchSize) {
        Set<String> names = new HashSet<>();
        long minibatches = 0;
        for (DataShard shard : shards) {
            if (!names.add(shard.name())) {
                mistakes.add(name + " must have unique names, was \"" + shard.name() + "\" twice");
            }
            if (minibatches <= Integer.MAX_VALUE) {
                minibatches += shard.records() / minibatchSize + (shard.records() % minibatchSize == 0 ? 0 : 1);
            }
        }
        if (minibatches > Integer.MAX_VALUE) {
            mistakes.add(name + " must make at most " + Integer.MAX_VALUE
                    + " minibatches; a larger minibatchSize makes fewer, was " + minibatchSize);
        }
    }

    private static long records(List<DataShard> shards) {
        return shards.stream().mapToLong(DataShard::records).sum();
    }

    /** Returns a builder with the defaults that {@link Builder} documents. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the push ids of this training.
     *
     * @throws IllegalArgumentException if nothing is trained
     */
    public PushIds pushIds() {
        return new PushIds(TaskRanges.training(this).minibatches());
    }

    /** Returns the number of records of all training shards; 0 if nothing is trained. */
    public long trainingRecords() {
        return records(trainingShards);
    }

    /** Returns the number of records of all evaluation shards. */
    public long evaluationRecords() {
        return records(evaluationShards);
    }

    /** Returns the type of the tasks over the evaluation shards. */
    public TaskType evaluationType() {
        return predicts ? TaskType.PREDICTION : TaskType.EVALUATION;
    }

    /** Builder of a spec; each setter documents its default. */
    public static final class Builder {
        private List<DataShard> trainingShards = List.of();
        private List<DataShard> evaluationShards = List.of();
        private int minibatchSize = 64;
        private int minibatchesPerTask = 8;
        private int epochs = 1;
        private long seed;
        private boolean shuffle = true;
        private Duration leaseTimeout = Duration.ofMinutes(5);
        private int maxTaskFailures = 4;
        private long maxMinibatches;
        private boolean predicts;

        private Builder() {}

        /** Sets the shards to train on; required unless there are only evaluations or predictions. */
        public Builder training(List<DataShard> shards) {
            trainingShards = List.copyOf(shards);
            return this;
        }

        /** Sets the shards to evaluate on; none by default. */
        public Builder evaluation(List<DataShard> shards) {
            evaluationShards = List.copyOf(shards);
            predicts = false;
            return this;
        }

        /** Sets the shards to predict, instead of shards to evaluate on. */
        public Builder prediction(List<DataShard> shards) {
            evaluationShards = List.copyOf(shards);
            predicts = true;
            return this;
        }

        /** Sets the number of records in a minibatch; 64 by default. */
        public Builder minibatchSize(int records) {
            minibatchSize = records;
            return this;
        }

        /** Sets the number of minibatches in a task; 8 by default. */
        public Builder minibatchesPerTask(int minibatches) {
            minibatchesPerTask = minibatches;
            return this;
        }

        /** Sets the number of passes over the training data; 1 by default. */
        public Builder epochs(int times) {
            epochs = times;
            return this;
        }

        /** Sets the seed of the random order of tasks; 0 by default. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Sets whether each epoch has its own random order of tasks; true by default. */
        public Builder shuffle(boolean on) {
            shuffle = on;
            return this;
        }

        /** Sets how long a worker may hold a task without renewing its lease; 5 minutes by default. */
        public Builder leaseTimeout(Duration timeout) {
            leaseTimeout = timeout;
            return this;
        }

        /** Sets after how many failures of one range in one epoch the training fails; 4 by default. */
        public Builder maxTaskFailures(int failures) {
            maxTaskFailures = failures;
            return this;
        }

        /** Sets the maximum number of minibatches trained in all epochs together; 0, the default, for no bound. */
        public Builder maxMinibatches(long minibatches) {
            maxMinibatches = minibatches;
            return this;
        }

        /**
         * Builds the spec.
         *
         * @throws IllegalArgumentException with all mistakes in one message
         */
        public LedgerSpec build() {
            return new LedgerSpec(
                    trainingShards,
                    evaluationShards,
                    minibatchSize,
                    minibatchesPerTask,
                    epochs,
                    seed,
                    shuffle,
                    leaseTimeout,
                    maxTaskFailures,
                    maxMinibatches,
                    predicts);
        }
    }
}
