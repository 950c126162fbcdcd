package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.frames.FrameException;
import dev.edl.runtime.wire.frames.MessageChannel;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream of messages. The thread that runs it reads, and another one writes, so that a sender does not wait for the
 * other end. Safe for several threads.
 *
 * <p>Each end sends a sign of life in every {@code keepAlive}, and closes the connection when nothing comes or leaves in two of them.
 */
public final class MessageConnection {
    /** Bytes of a message at most until the other end is trusted. */
    public static final int SMALL = 64 * 1024;

    /** Bytes of a message at most. */
    public static final int LARGEST = 2 << 20;

    /** Bytes that wait to be written, of which more can be sent without harm. */
    private static final int READY = 32 * 1024;

    /** Bytes that wait to be written, of which the other end is found not to read. */
    private static final int FULL = 4 << 20;

    /** What a message in the queue costs beside its bytes. */
    private static final int COST = 64;

    /** Characters of a reason in the log at most. */
    private static final int LOGGED = 1000;

    /** Messages that are received and not yet handled. */
    private static final int WINDOW = 64;

    private static final byte[] PING = {};
    private static final System.Logger LOG = System.getLogger(MessageConnection.class.getName());

    private final MessageChannel channel;
    private final MessageChannel.Alarm alarm;
    private final Executor threads;
    private final Duration keepAlive;
    private final Duration close;
    private final Semaphore window = new Semaphore(WINDOW);
    private final CountDownLatch written = new CountDownLatch(1);
    private volatile int most = SMALL;
    private List<byte[]> queue = new ArrayList<>();
    private int queued;
    private boolean writing;
    private boolean ended;
    private @Nullable String error;
    private Runnable beat = () -> {};
    private Runnable deadline = () -> {};

    /** Hears what comes, on the thread that reads. Waits for nothing. */
    public interface MessageListener {
        /**
         * A message has come; {@link MessageConnection#messageHandled} lets another one come.
         *
         * @throws IllegalArgumentException when it is not expected, which ends the stream
         */
        void received(Message message);

        /** Nothing comes any more. */
        void ended(boolean inPeace, String reason);
    }

    /** Begins a stream. */
    @FunctionalInterface
    public interface Opening {
        /** Waits for the first message; null when there will be none. */
        @Nullable
        Message open() throws IOException, InterruptedException;
    }

    /**
     * Makes a stream.
     *
     * @param threads each has a new thread for what waits
     * @param keepAlive the time from one sign of life to the next
     * @param close the longest from the end of the stream to that of the connection
     */
    public MessageConnection(
            MessageChannel channel, MessageChannel.Alarm alarm, Executor threads, Duration keepAlive, Duration close) {
        this.channel = channel;
        this.alarm = alarm;
        this.threads = threads;
        this.keepAlive = keepAlive;
        this.close = close;
    }

    public MessageChannel wire() {
        return channel;
    }

    private Duration bound() {
        return keepAlive.multipliedBy(2);
    }

    /** The other end is trusted, so that messages may be large. */
    public void markAuthenticated() {
        most = LARGEST;
    }

    /** Waits for the next message; null when the other end has ended the stream in peace. */
    public @Nullable Message read() throws IOException {
        byte[] bytes = channel.message(most, bound());
        return bytes == null ? null : Message.of(bytes);
    }

    /** Reads to the end of the stream, and closes the connection. */
    public void run(Opening opening, MessageListener listener) {
        boolean inPeace = false;
        String reason = channel.peer() + " has ended the stream";
        try {
            Message next = opening.open();
            beat(false);
            while (next != null) {
                if (!isEnded()) {
                    listener.received(next);
                    window.acquire();
                }
                next = read();
            }
            inPeace = true;
        } catch (EOFException left) {
            // The other end of a broken connection cannot be told.
            reason = ExceptionText.of(left);
            channel.close(reason);
        } catch (IOException | RuntimeException | Error wrong) {
            reason = ExceptionText.of(wrong);
            // A master that does not listen yet is dialed again and again.
            boolean known = most == LARGEST || wrong instanceof FrameException || !(wrong instanceof IOException);
            LOG.log(
                    known ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                    "the stream of " + channel.peer() + " ends: " + plain(reason));
            end(reason);
        } catch (InterruptedException closing) {
            channel.close("this end is being closed");
        }
        end(null);
        try {
            listener.ended(inPeace, reason);
            awaitWriter();
            channel.drain();
        } finally {
            channel.close();
            synchronized (this) {
                beat.run();
                deadline.run();
            }
        }
    }

    /** One line of a log, whatever the other end has sent. */
    private static String plain(String reason) {
        return (reason.length() <= LOGGED ? reason : reason.substring(0, LOGGED) + "...").replaceAll("\\p{Cntrl}", " ");
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

    /** A message was handled, so that another one may come. */
    public void messageHandled() {
        window.release();
    }

    private void beat(boolean now) {
        synchronized (this) {
            if (!ended) {
                if (now && queued == 0) {
                    add(PING);
                }
                beat = alarm.after(keepAlive, () -> beat(true));
            }
        }
    }

    /** Sends a message soon; false when the stream has ended. */
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
        channel.close(channel.peer() + " does not read what it is sent: more than " + FULL + " bytes are queued");
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

    /** Whether what is sent now leaves soon. */
    public boolean isReady() {
        synchronized (this) {
            return queued <= READY;
        }
    }

    private void write() {
        try {
            while (!writeAll()) {
                channel.flush(bound());
            }
            channel.last(error, bound());
            channel.shutdown();
        } catch (IOException broken) {
            channel.close(ExceptionText.of(broken));
        } catch (InterruptedException closing) {
            channel.close("this end is being closed");
        } finally {
            written.countDown();
        }
    }

    /** Waits for messages and writes them; whether these were the last ones. */
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
                channel.ping(bound());
            } else {
                channel.write(message, bound());
            }
            synchronized (this) {
                queued -= message.length + COST;
            }
        }
        return last;
    }

    /**
     * Ends the stream behind what was sent. What comes from now on is not heard.
     *
     * @param why that the other end is told; null for an end in peace
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
            if (channel.isConnected()) {
                deadline = alarm.after(close, () -> channel.close(channel.peer() + " did not close in time"));
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
