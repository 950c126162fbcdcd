package dev.edl.examples;

import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.TrainingEvent;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** What happens on Ctrl-C: the job is cancelled with a checkpoint, and a person is told how to go on from it. */
final class Interruption implements AutoCloseable {
    /** What a shell takes a program for that SIGINT has ended. */
    static final int EXIT_CODE = 130;

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Followed run;
    private final ConsoleReport report;
    private final String resume;
    private final AtomicReference<Path> checkpoint = new AtomicReference<>();
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "edl-example-shutdown");
    private volatile boolean requested;
    private boolean said;

    /**
     * What would happen to a run.
     *
     * @param resume the command that goes on
     */
    Interruption(Followed run, ConsoleReport report, String resume) {
        this.run = run;
        this.report = report;
        this.resume = resume;
    }

    /** From now on Ctrl-C ends the run that way. */
    void arm() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Remembers where the newest checkpoint is. */
    void heard(TrainingEvent event) {
        if (event instanceof TrainingEvent.CheckpointWritten written) {
            checkpoint.set(written.directory());
        }
    }

    /** Cancels the run with a checkpoint, and says where that is. */
    void interrupt() {
        if (run.status().phase().ended()) {
            return;
        }
        requested = true;
        try {
            run.interrupt(BOUND);
            Path saved = checkpoint.get();
            last("Interrupted; the job is cancelled."
                    + (saved == null ? "" : "\n  checkpoint   " + saved + "\n  go on with   " + resume));
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

    /** Prints something, unless what to do next was said already: that stays the last word. */
    synchronized void unlessSaid(Runnable print) {
        if (!said) {
            print.run();
        }
    }

    /** Whether the run was interrupted; when it was, returns once the person has been told, at most 30 seconds later. */
    boolean happened() throws InterruptedException {
        if (requested && !told.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
            report.line("Interrupted: the checkpoint was not written within " + BOUND.toSeconds() + " s");
        }
        return requested;
    }

    /** Waits for the end of this JVM; throws the failure when it does not end. */
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

    /** Ctrl-C ends the program in its own way again. */
    @Override
    public void close() {
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is ending already, and the hook sees that the run has ended.
                requested = true;
            }
        }
    }
}
