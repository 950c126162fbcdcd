package dev.edl.runtime.task;

import dev.edl.runtime.task.internal.CountText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a history of events says about each record: was it completed exactly once in each epoch?
 *
 * <p>Computed from the completions that were accepted, by counting the records that they name; the ledger's own
 * counters and queues take no part in it, so a ledger that loses or repeats work is found out. A completion that was
 * withdrawn because a parameter shard lost it does not count.
 *
 * @param records training records of one epoch
 * @param epochs one entry for each epoch that is to be trained, in order; of one that is cut short, over the records
 *     that were handed out
 * @param evaluations one entry for each evaluation that was asked for, in the order of versions
 * @param recovered tasks taken from their workers without blame
 * @param late reports ignored because no worker held the task any more
 * @param failed failures of tasks
 * @param reopened how often a parameter shard lost work of an epoch
 * @param resumed records, of all epochs, that were complete in the checkpoint that the training went on from
 * @param minibatches minibatches complete, of all epochs
 * @param minibatchesDue minibatches that have to be; when the training was stopped before its time, those that are
 * @param stopped why the training was stopped before its time, if it was
 * @param origin what the history begins with
 */
public record LedgerProof(
        long records,
        List<Coverage> epochs,
        List<Coverage> evaluations,
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

    /** What a history begins with. */
    public enum Origin {
        /** The start of the training, or the checkpoint that it went on from. */
        HISTORY,
        /** What the parameter shards held when the history before was lost. */
        SHARDS,
        /** Nothing, although an earlier master has led: all that it did is lost. */
        ANEW
    }

    /** Copies the lists. */
    public LedgerProof {
        epochs = List.copyOf(epochs);
        evaluations = List.copyOf(evaluations);
    }

    /**
     * The proof of a history, for example one read from a journal.
     *
     * @throws IllegalArgumentException when the history names records that the spec does not have
     */
    public static LedgerProof of(LedgerSpec spec, Iterable<? extends LedgerEvent> history) {
        ProofFold fold = new ProofFold(spec);
        history.forEach(fold::accept);
        return fold.proof();
    }

    /**
     * Whether each record was completed exactly once in each epoch and in each evaluation asked for. In an epoch that is
     * cut short, by {@link LedgerSpec#maxMinibatches()} or a stop: each record that was handed out exactly once and no
     * other, and the minibatches of all epochs are as many as they should be.
     */
    public boolean holds() {
        return minibatches == minibatchesDue
                && Stream.concat(epochs.stream(), evaluations.stream()).allMatch(Coverage::exact);
    }

    /**
     * One line for people: {@code each of 1,437 records applied exactly once in each of 30 epochs (3 tasks recovered, 1
     * late report ignored)}, or {@code NOT each of ...} with what is wrong. Of a training that is cut short
     * {@code each of 1,437 records applied exactly once in each of 3 epochs, 512 of 1,437 at most once in epoch 4: 77
     * minibatches in all}, and why. Epochs are counted from 1 here, as in what {@code Progress} prints.
     */
    @Override
    public String toString() {
        return (holds() ? "" : "NOT ") + (records == 0 ? evaluated() : trained()) + incidents() + faults();
    }

    private String evaluated() {
        String done = evaluations.stream().anyMatch(c -> c.type() == TaskType.PREDICTION) ? "predicted" : "evaluated";
        return "each of "
                + CountText.count(
                        evaluations.stream().mapToLong(Coverage::records).sum(), "record") + " " + done
                + " exactly once";
    }

    private String trained() {
        List<Coverage> cut = epochs.stream().filter(c -> c.records() < records).toList();
        int whole = epochs.size() - cut.size();
        List<String> parts = new ArrayList<>();
        if (whole > 0 || cut.isEmpty()) {
            parts.add("each of " + CountText.count(records, "record") + " applied exactly once "
                    + (whole == 1 ? "in 1 epoch" : "in each of " + CountText.count(whole, "epoch")));
        }
        for (Coverage epoch : cut) {
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
                            ? " that the parameter servers held when the journal was lost"
                            : " in the checkpoint that it went on from"));
        }
        if (origin == Origin.ANEW) {
            parts.add("begun anew, because nothing was left of an earlier master");
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
        List<Coverage> wrong = Stream.concat(epochs.stream(), evaluations.stream())
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
