package dev.edl.runtime.internal.check;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Logs the reason for waiting once a call takes longer than a limit. */
public final class SlowCallLog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SlowCallLog.class.getName());

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread watch;

    /**
     * Starts the timer. {@link #close} stops it, so that a call that ends before the limit logs nothing.
     *
     * @param text the text that is logged after {@code limit}
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
