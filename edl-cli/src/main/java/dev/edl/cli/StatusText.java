package dev.edl.cli;

import dev.edl.exec.JobStatus;
import dev.edl.status.JobPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/**
 * Text for people of a status that is printed again after each change. A terminal shows the last table in place, with
 * coloured phases. Any other output gets the changed lines, as from {@code kubectl get --watch}.
 */
final class StatusText {
    private static final Pattern PHASE = Pattern.compile(
            "\\b(" + Arrays.stream(JobPhase.values()).map(Enum::name).collect(Collectors.joining("|")) + ")\\b");
    private static final String HEADER = "NAME ";

    /** Moves the cursor up, and erases the lines below. */
    private static final String AGAIN = "\033[%dA\033[J";

    /** Without line wrap, each line of a table is one line of the terminal. */
    private static final String NO_WRAP = "\033[?7l";

    private static final String WRAP = "\033[?7h";

    private final BiFunction<List<PrintedJobStatus>, Instant, String> layout;
    private final Ansi ansi;
    private final boolean watch;
    private final Instant start;
    private final IntSupplier rows;
    private final Set<String> printed = new HashSet<>();
    private long lines;

    /**
     * Creates the text of one job, or of a list of jobs.
     *
     * @param one whether it is one job
     * @param watch whether the text is printed again
     * @param ansi whether the output is a terminal with escape sequences
     * @param start a fixed time, at which ages are compared
     * @param rows number of lines of the terminal
     */
    StatusText(boolean one, boolean watch, Ansi ansi, Instant start, IntSupplier rows) {
        this.layout = one
                ? (jobs, now) -> jobs.get(0).toString()
                : (jobs, now) -> JobStatus.table(
                        jobs.stream().map(PrintedJobStatus::status).toList(), now);
        this.watch = watch;
        this.ansi = ansi;
        this.start = start;
        this.rows = rows;
    }

    /** Returns the text to print next; empty if nothing has changed. */
    String next(List<PrintedJobStatus> jobs, Instant now) {
        if (jobs.isEmpty() && printed.isEmpty() && lines == 0) {
            return "";
        }
        String text = layout.apply(jobs, now);
        if (!ansi.enabled()) {
            List<PrintedJobStatus> ageless =
                    jobs.stream().map(PrintedJobStatus::withoutTimes).toList();
            return changed(text, layout.apply(ageless, start));
        }
        List<String> shown =
                watch ? fitting(text.lines().toList()) : text.lines().toList();
        String coloured = shown.stream().map(this::coloured).collect(Collectors.joining());
        if (!watch) {
            return coloured;
        }
        String before = lines == 0 ? "" : AGAIN.formatted(lines);
        lines = shown.size();
        return before + NO_WRAP + coloured + WRAP;
    }

    /** Returns the lines that the terminal can show above the cursor. A line that has left it cannot be erased. */
    private List<String> fitting(List<String> text) {
        int room = Math.max(rows.getAsInt() - 1, 2);
        if (text.size() <= room) {
            return text;
        }
        List<String> cut = new ArrayList<>(text.subList(0, room - 1));
        cut.add("and " + (text.size() - cut.size()) + " more lines");
        return cut;
    }

    /** Returns the lines whose text without ages was not printed last. */
    private String changed(String text, String withoutAges) {
        Set<String> now = new HashSet<>();
        StringBuilder changed = new StringBuilder();
        Iterator<String> keys = withoutAges.lines().iterator();
        text.lines().forEach(line -> {
            // The width of a column depends on other lines.
            String key = keys.next().replaceAll(" +", " ");
            now.add(key);
            if (!printed.contains(key)) {
                changed.append(line).append('\n');
            }
        });
        printed.clear();
        printed.addAll(now);
        return changed.toString();
    }

    private String coloured(String line) {
        if (line.startsWith(HEADER)) {
            return line + "\n";
        }
        return PHASE.matcher(line).replaceFirst(phase -> ansi.string("@|" + colour(phase.group()) + " $0|@")) + "\n";
    }

    private static String colour(String phase) {
        return switch (JobPhase.valueOf(phase)) {
            case RUNNING, SUCCEEDED -> "green";
            case PENDING, SUSPENDED, CANCELLED -> "yellow";
            case FAILED -> "red";
        };
    }
}
