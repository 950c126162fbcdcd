package dev.edl.runtime.data.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Labels of a table, row by row: whole numbers, or texts that each name a class. */
final class CsvLabels {
    private @Nullable Kind kind;
    private final boolean kindIsGiven;
    private final CsvMissingValues missing;
    /** Classes in the order of their indexes; empty if the file's labels are the classes. */
    private final List<String> given;

    private boolean mixed;
    private long[] values = new long[64];
    private int count;
    /** For text labels: the class number of each text, in order of first occurrence. */
    private final Map<String, Integer> texts = new HashMap<>();
    /**
     * For numeric labels: the text in which each number first occurred, and the numbers for which a second text was
     * reported.
     */
    private final Map<Long, String> written = new HashMap<>();

    /** First text of each class without case and space. */
    private final Map<String, String> similar = new HashMap<>();

    private final Set<Long> told = new HashSet<>();

    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}\ufeff]+");
    private static final char LOST = '\ufffd';

    enum Kind {
        NUMBERS,
        TEXTS
    }

    /**
     * Creates an empty collection of labels.
     *
     * @param kind whether labels are texts or numbers; null to take the kind of the first label that is not missing
     * @param classes the only valid labels, in the order of their indexes; empty to take those of the file
     */
    CsvLabels(@Nullable Kind kind, CsvMissingValues missing, List<String> classes) {
        this.kind = kind;
        this.missing = missing;
        this.kindIsGiven = kind != null;
        this.given = classes;
        if (kind == Kind.TEXTS) {
            classes.forEach(name -> texts.put(name, texts.size()));
        }
    }

    /** Returns the problem of a label cell; empty when the cell is valid. */
    String problemOf(String cell) {
        String text = cell.strip();
        boolean none = missing.is(text);
        if (kind == null && !none) {
            kind = CsvNumberFormat.isNumber(text) ? Kind.NUMBERS : Kind.TEXTS;
        }
        if (none && !text.isEmpty()) {
            return "is a missing value; a label must "
                    + (kind == Kind.NUMBERS ? "be a whole number, for example 3" : "name a class");
        }
        if (kind != Kind.TEXTS) {
            String problem = CsvNumberFormat.problemOfLabel(cell);
            return problem.isEmpty() ? problemOfClass(Long.toString(CsvNumberFormat.label(cell))) : problem;
        }
        if (text.isEmpty()) {
            return "is empty; a label must name a class";
        }
        mixed |= !kindIsGiven && CsvNumberFormat.isNumber(text);
        return problemOfClass(text);
    }

    private String problemOfClass(String name) {
        return given.isEmpty() || given.contains(name)
                ? ""
                : "is none of the classes of like(...): " + CsvColumnNames.listed(given);
    }

    /**
     * Returns whether the first label is a text and a later one a number. The texts are then not taken as class names.
     */
    boolean mixed() {
        return mixed;
    }

    /** Adds a label; returns a doubt about it, or empty. */
    String add(String cell) {
        if (count == values.length) {
            values = Arrays.copyOf(values, Math.multiplyExact(2, count));
        }
        String text = cell.strip();
        if (isText()) {
            boolean isNew = !texts.containsKey(text);
            values[count++] = texts.computeIfAbsent(text, unused -> texts.size());
            return isNew ? doubtOf(text) : "";
        }
        long value = CsvNumberFormat.label(cell);
        values[count++] = value;
        String first = written.computeIfAbsent(value, unused -> text);
        return first.equals(text) || !told.add(value)
                ? ""
                : "is one class with \"" + first + "\", since both are the number " + value
                        + "; textLabels() keeps them apart";
    }

    /** Returns the doubt about a text that occurs for the first time, or empty. */
    private String doubtOf(String text) {
        String other =
                similar.putIfAbsent(SPACE.matcher(text).replaceAll(" ").strip().toLowerCase(Locale.ROOT), text);
        if (text.indexOf(LOST) >= 0) {
            return "contains U+FFFD, because an earlier conversion lost a character; labels that differed in it are"
                    + " now one class";
        }
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            return "contains a line end, as rows between two stray quotes do";
        }
        return other == null || areGiven()
                ? ""
                : "is another class than \"" + other + "\", from which it differs only in case or space";
    }

    /**
     * Returns whether the class of the first row has no other row, and another class has several.
     *
     * @param strict whether every other class must have several
     */
    boolean isFirstAlone(boolean strict) {
        Map<Long, Integer> rows = new HashMap<>();
        for (int i = 0; i < count; i++) {
            rows.merge(values[i], 1, Integer::sum);
        }
        Integer first = rows.remove(values[0]);
        return first != null
                && first == 1
                && rows.values().stream().anyMatch(n -> n > 1)
                && (!strict || rows.values().stream().allMatch(n -> n > 1));
    }

    boolean isText() {
        return kind == Kind.TEXTS;
    }

    /** Returns whether the classes are those of another table. */
    boolean areGiven() {
        return !given.isEmpty();
    }

    boolean mayBeText() {
        return kind != Kind.NUMBERS;
    }

    int rows() {
        return count;
    }

    /** Returns the classes: the numbers in ascending order; for texts 0 and so on, one for each of {@link #names}. */
    List<Long> classes() {
        if (isText()) {
            return LongStream.range(0, texts.size()).boxed().toList();
        }
        return given.isEmpty()
                ? Arrays.stream(values, 0, count).sorted().distinct().boxed().toList()
                : given.stream().map(Long::valueOf).toList();
    }

    /**
     * Returns the name of each class, in the order of the classes. Texts of the file are sorted by
     * {@link String#compareTo}.
     */
    List<String> names() {
        if (!given.isEmpty()) {
            return given;
        }
        return isText()
                ? texts.keySet().stream().sorted().toList()
                : classes().stream().map(String::valueOf).toList();
    }

    /** Returns the class index of each row. */
    int[] indexes() {
        if (isText()) {
            List<String> sorted = names();
            int[] places = new int[texts.size()];
            for (int i = 0; i < sorted.size(); i++) {
                places[texts.getOrDefault(sorted.get(i), 0)] = i;
            }
            return IntStream.range(0, count)
                    .map(row -> places[(int) values[row]])
                    .toArray();
        }
        Map<Long, Integer> places = new HashMap<>();
        classes().forEach(value -> places.put(value, places.size()));
        return IntStream.range(0, count)
                .map(row -> places.getOrDefault(values[row], 0))
                .toArray();
    }

    /** Returns some of the text labels, for a message. */
    String some() {
        List<String> names = new ArrayList<>(names());
        String first = String.join(", ", names.subList(0, Math.min(3, names.size())));
        return names.size() > 3 ? first + ", …" : first;
    }
}
