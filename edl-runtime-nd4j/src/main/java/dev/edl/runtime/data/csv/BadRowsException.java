package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Thrown for a CSV file with invalid rows; the message lists up to 20 of them, {@link #problems()} all. */
public final class BadRowsException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int LISTED = 20;

    private final transient Path file;
    private final transient List<CsvProblem> problems;

    public BadRowsException(Path file, long rows, List<CsvProblem> problems, String advice) {
        super(message(file, rows, problems, advice));
        this.file = file;
        this.problems = List.copyOf(problems);
    }

    /** Returns the CSV file that contains the invalid rows. */
    public Path file() {
        return file;
    }

    /** Returns the problems of all invalid rows, in the order of lines and columns. */
    public List<CsvProblem> problems() {
        return problems;
    }

    private static String message(Path file, long rows, List<CsvProblem> problems, String advice) {
        Map<Long, CsvProblem> first = new LinkedHashMap<>();
        Map<Long, Integer> count = new LinkedHashMap<>();
        for (CsvProblem problem : problems) {
            first.putIfAbsent(problem.line(), problem);
            count.merge(problem.line(), 1, Integer::sum);
        }
        StringBuilder text = new StringBuilder();
        text.append(file).append(": ").append(first.size()).append(" of ").append(rows);
        text.append(rows == 1 ? " row is bad:" : " rows are bad:");
        first.values().stream().limit(LISTED).forEach(problem -> {
            text.append("\n  ").append(problem);
            int more = count.getOrDefault(problem.line(), 1) - 1;
            text.append(more == 0 ? "" : " (and " + more + " more in this line)");
        });
        if (first.size() > LISTED) {
            text.append("\n  and ").append(first.size() - LISTED).append(" more rows");
        }
        return text.append('\n').append(advice).toString();
    }
}
