package dev.edl.runtime.model.internal.graph;

import java.io.PrintStream;
import java.util.Collection;
import org.nd4j.autodiff.samediff.SameDiff;

/**
 * Builds a graph's gradient function without the line {@code Added differentiated op ...} that SameDiff prints to
 * {@code System.out} for each operation while it does so, and at no other time.
 *
 * <p>For that moment {@code System.out} is a stream that leaves out just these lines of just this thread; everything else
 * passes. One graph at a time, so that the stream put back is always the program's own.
 */
public final class QuietGradients {
    private QuietGradients() {}

    public static synchronized void create(SameDiff graph, Collection<String> variables) {
        PrintStream out = System.out;
        PrintStream filter = new Filter(out, Thread.currentThread());
        System.setOut(filter);
        try {
            graph.createGradFunction(variables.toArray(String[]::new));
        } finally {
            // Another part of the program may have put its own stream there meanwhile: that one stays.
            if (System.out == filter) {
                System.setOut(out);
            }
        }
    }

    private static final class Filter extends PrintStream {
        private final Thread noisy;

        Filter(PrintStream out, Thread noisy) {
            super(out, true);
            this.noisy = noisy;
        }

        @Override
        public void println(String line) {
            if (Thread.currentThread() != noisy || !line.startsWith("Added differentiated op ")) {
                super.println(line);
            }
        }
    }
}
