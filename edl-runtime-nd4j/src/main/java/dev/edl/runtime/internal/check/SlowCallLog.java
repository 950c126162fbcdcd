package dev.edl.runtime.internal.check;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Logs the reason for waiting once a call takes longer than a limit. On a machine that is busy with other programs, a
 * call that computes little is not slow: it is logged only after six times the limit.
 */
public final class SlowCallLog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SlowCallLog.class.getName());

    /** Number of limits after which a call is slow however little it has computed. */
    private static final int LIMITS = 6;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread watch;

    /**
     * Starts to watch a call of the present thread. {@link #close} ends that, so that a call that ends before the limit
     * logs nothing.
     *
     * @param text the text that is logged after {@code limit}
     */
    public SlowCallLog(String text, Duration limit) {
        this(text, limit, computed(Thread.currentThread().getId()));
    }

    /**
     * Starts to watch a call.
     *
     * @param computed processor time of the call so far, in nanoseconds
     */
    SlowCallLog(String text, Duration limit, LongSupplier computed) {
        watch = new Thread(
                () -> {
                    try {
                        if (isSlow(limit, computed)) {
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

    private boolean isSlow(Duration limit, LongSupplier computed) throws InterruptedException {
        boolean slow = false;
        for (int limits = 1; limits <= LIMITS && !slow; limits++) {
            if (over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
            slow = computed.getAsLong() >= limit.toNanos() / 2;
        }
        return true;
    }

    private static LongSupplier computed(long thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
            return () -> Long.MAX_VALUE;
        }
        long began = threads.getThreadCpuTime(thread);
        return () -> threads.getThreadCpuTime(thread) - began;
    }

    @Override
    public void close() {
        over.countDown();
    }
}
