package dev.edl.runtime.remote.control.internal;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with names. */
public final class Threads {
    private static final long IDLE_SECONDS = 10;

    private Threads() {}

    /** Threads that come when there is work and go a while later. */
    public static ExecutorService pool(String name, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** One thread that moves the bytes of all streams. */
    public static EventLoopGroup network(String name) {
        return new MultiThreadIoEventLoopGroup(1, named(name + "-net"), NioIoHandler.newFactory());
    }

    public static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Ends the network's thread; waits for it at most some seconds, unless the caller is interrupted. */
    public static void end(EventLoopGroup network, long millis) {
        Future<?> end = network.shutdownGracefully(0, millis, TimeUnit.MILLISECONDS);
        try {
            end.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
