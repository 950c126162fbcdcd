package dev.edl.runtime.zoo.internal.graph;

import java.io.PrintStream;
import java.util.Collection;
import org.nd4j.autodiff.samediff.SameDiff;

/**
 * Creates a graph's gradient function without SameDiff's output to {@code System.out}.
 *
 * <p>SameDiff prints a line {@code Added differentiated op ...} for each operation. Meanwhile {@code System.out} is a
 * stream that drops only these lines of only this thread. One graph at a time, so that the restored stream is always
 * the application's own.
 */
public final class GradientFunctionFactory {
    private GradientFunctionFactory() {}

    public static synchronized void create(SameDiff graph, Collection<String> variables) {
        PrintStream out = System.out;
        PrintStream filter = new Filter(out, Thread.currentThread());
        System.setOut(filter);
        try {
            graph.createGradFunction(variables.toArray(String[]::new));
        } finally {
            // Another part of the application may have set its own stream meanwhile; that one stays.
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
