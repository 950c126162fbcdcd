package dev.edl.runtime.proof;

import dev.edl.runtime.internal.text.CountText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Result of checking, in a history of events, whether each record was completed exactly once in each epoch.
 *
 * <p>Computed by counting the records of accepted completions. After the takeover of a master in another process, it
 * begins with the records whose pushes every parameter shard held. The check does not use the ledger's counters and
 * queues, so it detects a ledger that loses or repeats work. A completion does not count if it was withdrawn because a
 * parameter shard lost it.
 *
 * @param records training records of one epoch
 * @param epochs counts of each epoch to train, in order; an epoch that was cut short counts only the records that were
 *     handed out
 * @param evaluations counts of each requested evaluation, in the order of model versions; after the takeover of
 *     another process, at most 256 that ended before
 * @param recovered tasks taken back from workers without counting a failure, as the other incidents since a master of
 *     another process last took over
 * @param late reports ignored because no worker held the task any more
 * @param failed number of task failures
 * @param reopened number of times that a parameter shard lost work of an epoch
 * @param resumed records, over all epochs, that were complete before this history: in the checkpoint that the training
 *     resumed from, or on the parameter shards when a master of another process took over
 * @param minibatches complete minibatches of all epochs
 * @param minibatchesDue minibatches to complete; if the training was stopped early, the complete minibatches
 * @param stopped reason why the training was stopped early, if it was
 * @param origin state from which the history begins
 */
public record LedgerProof(
        long records,
        List<RecordCoverage> epochs,
        List<RecordCoverage> evaluations,
        long recovered,
        long late,
        long failed,
        long reopened,
        long resumed,
        long minibatches,
        long minibatchesDue,
        Optional<String> stopped,
        Origin origin) {
    private static final int SHOWN = 3;

    /** State from which a history begins. */
    public enum Origin {
        /** The start of the training, or the checkpoint that it resumed from. */
        HISTORY,
        /** The state of the parameter shards when a master of another process took over. */
        SHARDS,
        /** The untrained state, although an earlier master has led: all of its work is lost. */
        ANEW
    }

    /** Copies the lists. */
    public LedgerProof {
        epochs = List.copyOf(epochs);
        evaluations = List.copyOf(evaluations);
    }

    /**
     * Returns whether each record was completed exactly once in each epoch and in each requested evaluation.
     *
     * <p>A bound on the minibatches or a stop may cut an epoch short. Then each record that was handed out must be
     * complete exactly once and no other record at all. The minibatches of all epochs must add up.
     */
    public boolean holds() {
        return minibatches == minibatchesDue
                && Stream.concat(epochs.stream(), evaluations.stream()).allMatch(RecordCoverage::exact);
    }

    /**
     * Returns one line for people: {@code each of 1,437 records applied exactly once in each of 30 epochs (3 tasks
     * recovered, 1 late report ignored)}. If the proof fails, the line is {@code NOT each of ...} with the deviations.
     * If a training is cut short, it is {@code each of 1,437 records applied exactly once in each of 3 epochs, 512 of
     * 1,437 at most once in epoch 4: 77 minibatches in all}, and the reason. Epochs are counted from 1, as in
     * {@code Progress}.
     */
    @Override
    public String toString() {
        return (holds() ? "" : "NOT ") + (records == 0 ? evaluated() : trained()) + incidents() + faults();
    }

    private String evaluated() {
        String done = evaluations.stream().anyMatch(c -> c.type() == TaskType.PREDICTION) ? "predicted" : "evaluated";
        return "each of "
                + CountText.count(
                        evaluations.stream().mapToLong(RecordCoverage::records).sum(), "record") + " " + done
                + " exactly once";
    }

    private String trained() {
        List<RecordCoverage> cut =
                epochs.stream().filter(c -> c.records() < records).toList();
        int whole = epochs.size() - cut.size();
        List<String> parts = new ArrayList<>();
        if (whole > 0 || cut.isEmpty()) {
            parts.add("each of " + CountText.count(records, "record") + " applied exactly once "
                    + (whole == 1 ? "in 1 epoch" : "in each of " + CountText.count(whole, "epoch")));
        }
        for (RecordCoverage epoch : cut) {
            parts.add(CountText.number(epoch.once()) + " of "
                    + (parts.isEmpty() ? CountText.count(records, "record") + " applied" : CountText.number(records))
                    + " at most once in epoch " + (epoch.pass() + 1));
        }
        if (!cut.isEmpty() || stopped.isPresent()) {
            parts.set(
                    parts.size() - 1,
                    parts.get(parts.size() - 1) + ": " + CountText.count(minibatches, "minibatch", "minibatches")
                            + " in all");
        }
        return String.join(", ", parts)
                + stopped.map(reason -> ", stopped early: " + reason).orElse("");
    }

    private String incidents() {
        List<String> parts = new ArrayList<>();
        if (resumed > 0) {
            parts.add(CountText.count(resumed, "record")
                    + (origin == Origin.SHARDS
                            ? " that the parameter servers held when a later master took over"
                            : " in the checkpoint that it resumed from"));
        }
        if (origin == Origin.ANEW) {
            parts.add("restarted, because no shard and no checkpoint of an earlier master exists");
        }
        if (recovered > 0) {
            parts.add(CountText.count(recovered, "task") + " recovered");
        }
        if (failed > 0) {
            parts.add(CountText.count(failed, "failure") + " retried");
        }
        if (late > 0) {
            parts.add(CountText.count(late, "late report") + " ignored");
        }
        if (reopened > 0) {
            parts.add("work reopened " + CountText.count(reopened, "time"));
        }
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }

    private String faults() {
        List<RecordCoverage> wrong = Stream.concat(epochs.stream(), evaluations.stream())
                .filter(c -> !c.exact())
                .toList();
        StringBuilder text = new StringBuilder();
        if (minibatches != minibatchesDue && wrong.isEmpty()) {
            text.append(": ")
                    .append(CountText.number(minibatches))
                    .append(" of ")
                    .append(CountText.number(minibatchesDue));
            text.append(" minibatches");
        }
        wrong.stream()
                .limit(SHOWN)
                .forEach(c -> text.append(text.isEmpty() ? ": " : "; ").append(c));
        return wrong.size() > SHOWN ? text + "; and " + (wrong.size() - SHOWN) + " more" : text.toString();
    }
}
