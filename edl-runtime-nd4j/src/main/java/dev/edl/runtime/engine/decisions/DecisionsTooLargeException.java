package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.ps.ports.DecisionRecord;
import java.util.Map;
import java.util.Map.Entry;

/** Thrown when a decision does not fit the record that every shard keeps; the decision was not made. */
public final class DecisionsTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    DecisionsTooLargeException(int bytes, Map<String, Integer> sizes) {
        super("the master's decisions would need " + bytes + " bytes, more than the " + DecisionRecord.MAX_BYTES
                + " of a record; the largest part is " + largest(sizes)
                + "; a callback should keep large state in its own file and return the file's name from state()");
    }

    private static String largest(Map<String, Integer> sizes) {
        return sizes.entrySet().stream()
                .max(Entry.comparingByValue())
                .map(part -> part.getKey() + " with " + part.getValue() + " bytes")
                .orElse("none");
    }
}
