package dev.edl.runtime.internal.check;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says in the log what a call waits for, once it takes long; says nothing when it is over before. */
public final class SlowCallLog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SlowCallLog.class.getName());

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread watch;

    /**
     * Begins a step that ends with {@link #close}.
     *
     * @param text what is told after {@code limit}
     */
    public SlowCallLog(String text, Duration limit) {
        watch = new Thread(
                () -> {
                    try {
                        if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                            LOG.log(System.Logger.Level.INFO, text);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "edl-slow-step");
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public void close() {
        over.countDown();
    }
}
