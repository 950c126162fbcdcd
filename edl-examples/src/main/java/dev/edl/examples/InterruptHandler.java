package dev.edl.examples;

import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.TrainingEvent;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Handler of Ctrl-C, which cancels the run with a checkpoint and prints how to resume it. */
final class InterruptHandler implements AutoCloseable {
    /** Exit code of a program that SIGINT ended, as shells report it. */
    static final int EXIT_CODE = 130;

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final TrainingRunView run;
    private final ConsoleReport report;
    private final String resume;
    private final AtomicReference<Path> checkpoint = new AtomicReference<>();
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "edl-example-shutdown");
    private volatile boolean requested;
    private boolean said;

    /**
     * Creates a handler for a run, which {@link #arm} installs.
     *
     * @param resume command line that resumes the run
     */
    InterruptHandler(TrainingRunView run, ConsoleReport report, String resume) {
        this.run = run;
        this.report = report;
        this.resume = resume;
    }

    /** Installs the Ctrl-C handler. */
    void arm() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Records the path of a checkpoint if the event is that it was written. */
    void heard(TrainingEvent event) {
        if (event instanceof TrainingEvent.CheckpointWritten written) {
            checkpoint.set(written.directory());
        }
    }

    /**
     * Cancels the run with a checkpoint and prints the checkpoint's path and the command that resumes the run. Does
     * nothing if the job has ended.
     */
    void interrupt() {
        if (run.status().phase().ended()) {
            return;
        }
        requested = true;
        try {
            run.interrupt(BOUND);
            Path saved = checkpoint.get();
            last("Interrupted; the job is cancelled."
                    + (saved == null ? "" : "\n  checkpoint   " + saved + "\n  resume with  " + resume));
        } catch (UncheckedIOException | IllegalStateException e) {
            last("Interrupted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            told.countDown();
        }
    }

    private synchronized void last(String text) {
        said = true;
        report.end();
        report.line(text);
    }

    /**
     * Runs a task that prints, unless the message about the interruption was printed, which must stay the last output.
     */
    synchronized void unlessSaid(Runnable print) {
        if (!said) {
            print.run();
        }
    }

    /**
     * Returns whether Ctrl-C interrupted the run; if so, first waits up to 30 seconds until the message about it was
     * printed.
     */
    boolean happened() throws InterruptedException {
        if (requested && !told.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
            report.line("Interrupted: the checkpoint was not written within " + BOUND.toSeconds() + " s");
        }
        return requested;
    }

    /** Waits for the end of this JVM if it is shutting down; otherwise throws the failure. */
    static void awaitEnd(IllegalStateException failure) throws InterruptedException {
        Thread probe = new Thread(() -> {}, "edl-example-probe");
        try {
            Runtime.getRuntime().addShutdownHook(probe);
        } catch (IllegalStateException ending) {
            new CountDownLatch(1).await();
        }
        Runtime.getRuntime().removeShutdownHook(probe);
        throw failure;
    }

    /** Restores the default handling of Ctrl-C. */
    @Override
    public void close() {
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is already ending, and its hook sees that the run has ended.
                requested = true;
            }
        }
    }
}
