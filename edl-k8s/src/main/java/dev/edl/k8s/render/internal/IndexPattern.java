package dev.edl.k8s.render.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the pattern by which a text depends on an index: {@code worker-3:7001} at 3 becomes
 * {@code worker-$(INDEX):7001}.
 */
final class IndexPattern {
    /** Variable that an indexed Job sets in each pod. */
    static final String INDEX = "JOB_COMPLETION_INDEX";

    private static final Pattern PIECE = Pattern.compile("[0-9]+|[^0-9]+");

    private IndexPattern() {}

    /**
     * Returns the text that Kubernetes expands to each of the values.
     *
     * @param values values of the text, at least one
     * @param indexes index that belongs to each value
     * @return the text with {@code $(JOB_COMPLETION_INDEX)} in place of the index; empty when the values differ in more
     *     than their index
     */
    static Optional<String> of(List<String> values, List<Integer> indexes) {
        if (new HashSet<>(values).size() == 1) {
            return Optional.of(DollarEscape.of(values.get(0)));
        }
        List<List<String>> pieces = values.stream().map(IndexPattern::pieces).toList();
        int count = pieces.get(0).size();
        if (pieces.stream().anyMatch(p -> p.size() != count)) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            String first = pieces.get(0).get(at);
            boolean same = true;
            boolean index = true;
            for (int i = 0; i < values.size(); i++) {
                String piece = pieces.get(i).get(at);
                same &= piece.equals(first);
                index &= piece.equals(Integer.toString(indexes.get(i)));
            }
            if (!same && !index) {
                return Optional.empty();
            }
            text.append(same ? first.replace("$", "$$") : "$(" + INDEX + ")");
        }
        return Optional.of(text.toString());
    }

    private static List<String> pieces(String value) {
        List<String> pieces = new ArrayList<>();
        Matcher matcher = PIECE.matcher(value);
        while (matcher.find()) {
            pieces.add(matcher.group());
        }
        return pieces;
    }
}
