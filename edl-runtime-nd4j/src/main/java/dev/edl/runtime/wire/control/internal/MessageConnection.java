package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.frames.FrameException;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.frames.UnauthenticatedException;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One end of a message connection. The thread that runs it reads, and another one writes, so that a sender does not
 * wait for the peer. Safe for several threads.
 *
 * <p>Each end sends a ping every {@code keepAlive}, and closes the connection if it can receive nothing, or send
 * nothing, for two such periods.
 */
public final class MessageConnection {
    /** Largest size of a message in bytes. */
    public static final int LARGEST = 2 << 20;

    /** Maximum number of queued bytes at which {@link #isReady} returns true. */
    private static final int READY = 32 * 1024;

    /** Number of queued bytes above which the peer counts as not reading, so that the connection ends. */
    private static final int FULL = 4 << 20;

    /** Bytes that a queued message counts in addition to its content. */
    private static final int COST = 64;

    /** Largest number of messages that are received and not yet handled. */
    private static final int WINDOW = 64;

    private static final byte[] PING = {};
    private static final System.Logger LOG = System.getLogger(MessageConnection.class.getName());

    private final MessageChannel channel;
    private final TimerService timers;
    private final Executor threads;
    private final Duration keepAlive;
    private final TimeBound lost;
    private final TimeBound close;
    private final Semaphore window = new Semaphore(WINDOW);
    private final CountDownLatch written = new CountDownLatch(1);
    private volatile boolean authenticated;
    private List<byte[]> queue = new ArrayList<>();
    private int queued;
    private boolean writing;
    private boolean ended;
    /** Whether the connection was opened, or has failed to. */
    private boolean opened;

    private @Nullable String error;
    private Runnable beat = () -> {};
    private Runnable deadline = () -> {};

    /** Listener for received messages, on the thread that reads. Its methods do not wait. */
    public interface MessageListener {
        /**
         * Reports that a message has arrived; {@link MessageConnection#messageHandled} allows the next one.
         *
         * @throws IllegalArgumentException when the message is not expected; this ends the connection
         */
        void received(Message message);

        /** Reports that the connection has ended; no message follows. */
        void ended(boolean orderly, String reason);
    }

    /** Opens a connection. */
    @FunctionalInterface
    public interface Opening {
        /** Opens the connection, and returns whether messages follow. */
        boolean open() throws IOException, InterruptedException;
    }

    /**
     * Creates a message connection.
     *
     * @param threads runs each blocking task on a new thread
     * @param settings the time between two pings, and that from the end message to the close of the connection
     */
    public MessageConnection(
            MessageChannel channel, TimerService timers, Executor threads, ConnectionSettings settings) {
        this.channel = channel;
        this.timers = timers;
        this.threads = threads;
        this.keepAlive = settings.keepAlive();
        this.lost = TimeBound.lost(settings);
        this.close = TimeBound.close(settings);
    }

    public MessageChannel wire() {
        return channel;
    }

    /** Marks the peer as authenticated: messages may be written, and a broken connection is worth a warning. */
    public void markAuthenticated() {
        authenticated = true;
    }

    /** Waits for the next message; null when the peer has ended the connection in an orderly way. */
    private @Nullable Message read() throws IOException {
        byte[] bytes = channel.message(LARGEST, lost);
        return bytes == null ? null : Message.of(bytes);
    }

    /** Reads until the end of the connection, and closes it. */
    public void run(Opening opening, MessageListener listener) {
        boolean orderly = false;
        String reason = channel + " has ended the stream";
        try {
            if (opens(opening)) {
                beat(false);
                for (Message next = read(); next != null; next = read()) {
                    if (!isEnded()) {
                        listener.received(next);
                        window.acquire();
                    }
                }
            }
            orderly = true;
        } catch (EOFException | UnauthenticatedException left) {
            // No reason can be sent to the peer of a broken connection, and none is for a stranger.
            reason = ExceptionText.of(left);
            channel.close(reason);
        } catch (IOException | RuntimeException | Error wrong) {
            reason = ExceptionText.of(wrong);
            // A master that does not listen yet is dialed repeatedly, so this is not worth a warning.
            boolean known = !isEnded()
                    && (authenticated
                            || wrong instanceof FrameException
                            || wrong instanceof SSLException
                            || !(wrong instanceof IOException));
            LOG.log(
                    known ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                    "the stream of " + channel + " ends: " + ExceptionText.line(reason));
            end(reason);
        } catch (InterruptedException closing) {
            channel.close("this end is being closed");
        }
        end(null);
        try {
            if (!authenticated) {
                // It counts as a stranger until it is gone.
                drain();
            }
            listener.ended(orderly, reason);
            drain();
        } finally {
            channel.close();
            synchronized (this) {
                beat.run();
                deadline.run();
            }
        }
    }

    private boolean opens(Opening opening) throws IOException, InterruptedException {
        try {
            return opening.open();
        } finally {
            synchronized (this) {
                opened = true;
            }
        }
    }

    private void drain() {
        awaitWriter();
        channel.drain();
    }

    private void awaitWriter() {
        synchronized (this) {
            if (!writing) {
                return;
            }
        }
        try {
            written.await();
        } catch (InterruptedException closing) {
            // The connection is closed at once, which ends the writer.
        }
    }

    /** Reports that a message was handled, so that the next one may be read. */
    public void messageHandled() {
        window.release();
    }

    private void beat(boolean now) {
        synchronized (this) {
            if (!ended) {
                if (now && queued == 0) {
                    add(PING);
                }
                beat = timers.schedule(keepAlive, () -> beat(true));
            }
        }
    }

    /** Queues a message; false when the connection has ended. */
    public boolean send(byte[] message) {
        synchronized (this) {
            if (ended) {
                return false;
            }
            if (queued <= FULL) {
                add(message);
                return true;
            }
        }
        channel.close(channel + " does not read what it is sent: more than " + FULL + " bytes are queued");
        return false;
    }

    private void add(byte[] message) {
        queue.add(message);
        queued += message.length + COST;
        startWriter();
        notifyAll();
    }

    private void startWriter() {
        if (writing) {
            return;
        }
        writing = true;
        try {
            threads.execute(this::write);
        } catch (RejectedExecutionException closing) {
            written.countDown();
            channel.close("this end is being closed");
        } catch (OutOfMemoryError noThread) {
            written.countDown();
            channel.close("this end could not start a writer thread");
        }
    }

    /** Returns whether so few bytes are queued that a message sent now is written soon. */
    public boolean isReady() {
        synchronized (this) {
            return queued <= READY;
        }
    }

    private void write() {
        try {
            while (!writeAll()) {
                channel.flush(lost);
            }
            channel.last(error, lost);
            channel.shutdown();
        } catch (IOException broken) {
            channel.close(ExceptionText.of(broken));
        } catch (InterruptedException closing) {
            channel.close("this end is being closed");
        } finally {
            written.countDown();
        }
    }

    /** Waits for queued messages and writes them. Returns whether they were the last ones of this connection. */
    private boolean writeAll() throws IOException, InterruptedException {
        List<byte[]> batch;
        boolean last;
        synchronized (this) {
            while (queue.isEmpty() && !ended) {
                wait();
            }
            batch = queue;
            queue = new ArrayList<>();
            last = ended;
        }
        for (byte[] message : batch) {
            if (message.length == 0) {
                channel.ping(lost);
            } else {
                channel.write(message, lost);
            }
            synchronized (this) {
                queued -= message.length + COST;
            }
        }
        return last;
    }

    /**
     * Ends the connection after the queued messages. Later messages of the peer are ignored.
     *
     * @param why reason, which is sent to the peer; null for an orderly end
     */
    public void end(@Nullable String why) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            error = why;
            window.release(Short.MAX_VALUE);
            notifyAll();
            // Until both ends are authenticated, the thread that reads also writes.
            if ((opened || authenticated) && channel.isConnected()) {
                deadline =
                        timers.schedule(close.time(), () -> channel.close(channel + " did not close within " + close));
                startWriter();
                return;
            }
        }
        channel.close("closed by this end");
    }

    public boolean isEnded() {
        synchronized (this) {
            return ended;
        }
    }
}
