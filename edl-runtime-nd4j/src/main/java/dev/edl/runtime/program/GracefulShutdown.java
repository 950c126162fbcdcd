package dev.edl.runtime.program;

import dev.edl.runtime.engine.ReplicaContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** JVM shutdown hook that stops a replica, and gives it time to return its tasks to the master before the JVM exits. */
final class GracefulShutdown implements AutoCloseable {
    /** Seconds that a stopped replica has to return its tasks: less than the shortest grace period of an executor. */
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
            // The JVM is already exiting.
            return;
        }
    }
}
