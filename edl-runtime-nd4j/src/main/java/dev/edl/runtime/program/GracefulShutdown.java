package dev.edl.runtime.program;

import dev.edl.runtime.engine.ReplicaContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Cuts a replica off when its process is asked to end, and lets it give back what it holds before the JVM goes. */
final class GracefulShutdown implements AutoCloseable {
    /** Seconds that the replica has for it: less than the least grace of an executor. */
    private static final long SECONDS = 5;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;

    private GracefulShutdown(ReplicaContext context) {
        this.hook = new Thread(
                () -> {
                    context.stop();
                    try {
                        ended.await(SECONDS, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                context.name() + "-ending");
    }

    static GracefulShutdown of(ReplicaContext context) {
        GracefulShutdown shutdown = new GracefulShutdown(context);
        Runtime.getRuntime().addShutdownHook(shutdown.hook);
        return shutdown;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The JVM ends already.
            return;
        }
    }
}
