package dev.edl.runtime;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Listener that prints a training: ElasticDL's log lines, and a progress line.
 *
 * <p>On a terminal the progress line is repainted in place. Otherwise a plain line is printed each time another tenth
 * of the tasks is done. With more than ten epochs, only the start of each tenth part of them is printed. Safe for
 * several threads.
 *
 * <pre>{@code
 * run.onTraining(ConsoleReport.to(System.out));
 * }</pre>
 */
public final class ConsoleReport implements Consumer<TrainingEvent> {
    private static final Duration REPAINT = Duration.ofMillis(100);
    private static final String CLEAR = "\r\u001b[2K";

    private final PrintStream out;
    private final boolean terminal;
    private String painted = "";
    private boolean done;
    private Duration lastPaint = Duration.ofSeconds(-1);
    private int tenths;
    private int epochs = 1;

    private ConsoleReport(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Returns a report that prints to a stream; the stream counts as a terminal if this JVM's input and output are one.
     */
    public static ConsoleReport to(PrintStream out) {
        return new ConsoleReport(out, isTerminal());
    }

    /**
     * Returns a report that prints to a stream.
     *
     * @param terminal whether the stream is a terminal, on which the progress line is repainted in place
     */
    public static ConsoleReport to(PrintStream out, boolean terminal) {
        return new ConsoleReport(out, terminal);
    }

    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // From JDK 22 on a console exists even without a terminal; this method tells them apart.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    @Override
    public synchronized void accept(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            epochs = Math.max(1, progressed.progress().epochs());
            progress(progressed.progress());
        } else if (event instanceof TrainingEvent.EpochStarted started && started.epoch() % ((epochs + 9) / 10) != 0) {
            // The progress lines name the epochs in between.
            return;
        } else if (event instanceof TrainingEvent.Loss loss) {
            line("[" + loss.worker() + "] " + loss);
        } else {
            line(event.toString());
        }
    }

    /** Prints a line of text that the caller supplies, above the progress line. */
    public synchronized void line(String text) {
        if (!painted.isEmpty()) {
            out.print(CLEAR);
        }
        out.println(text);
        out.print(painted);
        out.flush();
    }

    /** Ends the progress line, so that the next output starts on a new line. */
    public synchronized void end() {
        if (!painted.isEmpty()) {
            painted = "";
            out.println();
            out.flush();
        }
    }

    private void progress(Progress progress) {
        if (done) {
            return;
        }
        done = progress.tasksDone() == progress.tasks();
        if (terminal) {
            if (done || progress.elapsed().minus(lastPaint).compareTo(REPAINT) >= 0) {
                lastPaint = progress.elapsed();
                out.print(CLEAR + progress);
                painted = progress.toString();
                if (done) {
                    out.println();
                    painted = "";
                }
                out.flush();
            }
            return;
        }
        int now = (int) (10L * progress.tasksDone() / Math.max(1, progress.tasks()));
        if (now > tenths) {
            tenths = now;
            line(progress.toString());
        }
    }
}
