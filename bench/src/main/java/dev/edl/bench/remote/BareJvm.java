package dev.edl.bench.remote;

import dev.edl.bench.runtime.ModelCase;
import dev.edl.bench.runtime.Worker;
import java.lang.management.ManagementFactory;

/** A program that loads the backend, computes one minibatch of the MLP and prints how long its JVM has run by then. */
public final class BareJvm {
    /** What the line with the milliseconds begins with. */
    static final String MARK = "bare JVM ms ";

    private BareJvm() {}

    public static void main(String[] args) {
        try (Worker worker = new Worker(ModelCase.mlp(), Processes.BATCH)) {
            worker.step();
            System.out.println(MARK + ManagementFactory.getRuntimeMXBean().getUptime());
        }
        // A native backend leaves threads behind.
        System.exit(0);
    }
}
