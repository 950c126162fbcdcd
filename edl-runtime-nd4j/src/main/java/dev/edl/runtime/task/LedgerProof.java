package dev.edl.runtime.task;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a history of events says about each record: was it completed exactly once in each epoch?
 *
 * <p>Computed from the completions that were accepted, by counting the records that they name; the ledger's own
 * counters and queues take no part in it, so a ledger that loses or repeats work is found out. A completion that was
 * withdrawn because a parameter shard lost it does not count.
 *
 * @param records training records of one epoch
 * @param epochs one entry for each epoch of the spec, in order
 * @param evaluations one entry for each evaluation that was asked for, in the order of versions
 * @param recovered tasks taken from their workers without blame
 * @param late reports ignored because nobody held the task any more
 * @param failed failures of tasks
 * @param reopened how often a parameter shard lost work of an epoch
 */
public record LedgerProof(
        long records,
        List<Coverage> epochs,
        List<Coverage> evaluations,
        long recovered,
        long late,
        long failed,
        long reopened) {
    private static final int SHOWN = 3;

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

    /** Whether each record was completed exactly once in each epoch and in each evaluation asked for. */
    public boolean holds() {
        return Stream.concat(epochs.stream(), evaluations.stream()).allMatch(Coverage::exact);
    }

    /**
     * One line for people: {@code each of 1,437 records applied exactly once in each of 30 epochs (3 tasks recovered, 1
     * late report ignored)}, or {@code NOT each of ...} with what is wrong.
     */
    @Override
    public String toString() {
        String where = epochs.size() == 1 ? "in 1 epoch" : "in each of " + Words.count(epochs.size(), "epoch");
        return (holds() ? "" : "NOT ") + "each of " + Words.count(records, "record") + " applied exactly once " + where
                + incidents() + faults();
    }

    private String incidents() {
        List<String> parts = new ArrayList<>();
        if (recovered > 0) {
            parts.add(Words.count(recovered, "task") + " recovered");
        }
        if (failed > 0) {
            parts.add(Words.count(failed, "failure") + " retried");
        }
        if (late > 0) {
            parts.add(Words.count(late, "late report") + " ignored");
        }
        if (reopened > 0) {
            parts.add("work reopened " + Words.count(reopened, "time"));
        }
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }

    private String faults() {
        List<Coverage> wrong = Stream.concat(epochs.stream(), evaluations.stream())
                .filter(c -> !c.exact())
                .toList();
        if (wrong.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        wrong.stream()
                .limit(SHOWN)
                .forEach(c -> text.append(text.isEmpty() ? ": " : "; ").append(c));
        return wrong.size() > SHOWN ? text + "; and " + (wrong.size() - SHOWN) + " more" : text.toString();
    }
}
