package dev.edl.cli;

import java.io.PrintWriter;

/** Prints that a job runs on without a driver, when the program that drives it ends first, also by Ctrl-C. */
public final class DriverlessNotice implements AutoCloseable {
    private final PrintWriter err;
    private final String text;
    private final Thread hook = new Thread(this::print, "edl-driverless-notice");
    private volatile boolean ended;

    /** Starts to wait for the end of the program. */
    public DriverlessNotice(PrintWriter err, String namespace, String job) {
        this.err = err;
        this.text = "job " + job + " runs on in namespace " + namespace
                + " without a driver, which would replace its replicas; edl attach " + job + " -n " + namespace
                + " drives it, edl delete " + job + " -n " + namespace + " removes it";
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Notes that the job has ended, or has another driver. */
    public void ended() {
        ended = true;
    }

    private void print() {
        if (!ended) {
            ended = true;
            err.println(text);
            err.flush();
        }
    }

    @Override
    public void close() {
        print();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook has run.
            ended = true;
        }
    }
}
