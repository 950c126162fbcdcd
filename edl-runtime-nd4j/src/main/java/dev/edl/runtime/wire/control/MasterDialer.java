package dev.edl.runtime.wire.control;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.Welcome;
import dev.edl.runtime.wire.frames.ReconnectBackoff;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Connects to the current master, or waits for the next one. One thread dials; any thread closes. */
final class MasterDialer implements AutoCloseable {
    /** Milliseconds between two checks whether the wait has expired or the caller was stopped. */
    private static final long LOOK = 100;

    private static final System.Logger LOG = System.getLogger(MasterDialer.class.getName());

    private final CallerConfig config;
    private final BiConsumer<ConnectAttempt, Message> messageHandler;
    private final Sockets sockets;
    private final ExecutorService network;
    private @Nullable ConnectAttempt present;
    private boolean closed;

    /** A connection that the master has accepted. */
    record ReachedMaster(ConnectAttempt connection, Welcome welcome) {}

    /** Opens unconnected sockets. */
    @FunctionalInterface
    interface Sockets {
        SocketChannel open() throws IOException;
    }

    MasterDialer(CallerConfig config, BiConsumer<ConnectAttempt, Message> messageHandler) {
        this(config, messageHandler, SocketChannel::open);
    }

    MasterDialer(CallerConfig config, BiConsumer<ConnectAttempt, Message> messageHandler, Sockets sockets) {
        this.sockets = sockets;
        this.config = config;
        this.messageHandler = messageHandler;
        this.network = DaemonThreads.network(config.hello().name());
    }

    /**
     * Waits for a master.
     *
     * @param check throws when the caller was stopped
     * @return the connection to the master; empty when the training has finished
     * @throws TryAgainException when no master was reachable within the absence timeout
     * @throws MasterRejectedException when an authenticated master refuses the caller
     */
    Optional<ReachedMaster> dial(Runnable check) {
        Wait wait = new Wait(check);
        ReconnectBackoff backoff = new ReconnectBackoff(config.settings(), config.jitter());
        while (true) {
            ConnectAttempt attempt = null;
            boolean reached = false;
            try {
                attempt = open();
                ConnectAttempt.Outcome outcome = wait.until(attempt.outcome());
                if (outcome instanceof ConnectAttempt.Outcome.Welcomed welcomed) {
                    reached = true;
                    return Optional.of(new ReachedMaster(attempt, welcomed.welcome()));
                }
                if (outcome instanceof ConnectAttempt.Outcome.Finished) {
                    return Optional.empty();
                }
                if (outcome instanceof ConnectAttempt.Outcome.Refused refused) {
                    throw new MasterRejectedException(refused.reason());
                }
                if (outcome instanceof ConnectAttempt.Outcome.Unreachable unreachable) {
                    wait.recordFailure(unreachable);
                }
            } catch (IOException noSocket) {
                // For example, the process has no more file descriptors; one may become free.
                wait.last = "cannot open a socket: " + ExceptionText.of(noSocket);
            } finally {
                if (!reached && attempt != null) {
                    attempt.close();
                }
            }
            CompletableFuture<Boolean> rung = new CompletableFuture<>();
            Runnable cancel = config.timers().schedule(backoff.next(), () -> rung.complete(true));
            try {
                wait.until(rung);
            } finally {
                cancel.run();
            }
        }
    }

    private ConnectAttempt open() throws IOException {
        SocketChannel channel = sockets.open();
        ConnectAttempt attempt;
        try {
            attempt = new ConnectAttempt(config, channel, network, messageHandler);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
        synchronized (this) {
            present = attempt;
            if (closed) {
                attempt.close();
            } else {
                attempt.open(network);
            }
        }
        return attempt;
    }

    /** One wait for a master. */
    private final class Wait {
        private final Runnable check;
        private final long began = config.timers().nanoTime();
        private String last = "no answer yet";
        private Duration told = Duration.ofSeconds(10);
        private boolean loggedUnauthenticated;

        private Wait(Runnable check) {
            this.check = check;
        }

        /** Keeps the reason. Logs the first unauthenticated master at once: the token may be wrong, which a long wait would hide. */
        private void recordFailure(ConnectAttempt.Outcome.Unreachable unreachable) {
            last = unreachable.reason();
            if (unreachable.unauthenticated() && !loggedUnauthenticated) {
                loggedUnauthenticated = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        config.hello() + " could not authenticate its master, retrying for at most "
                                + DurationText.of(config.absence()) + ", the absenceTimeout: " + last);
            }
        }

        /** Logs the wait once it has lasted ten seconds, and then whenever it has doubled. */
        private void tell(Duration waited) {
            if (waited.compareTo(told) >= 0) {
                told = waited.multipliedBy(2);
                LOG.log(
                        System.Logger.Level.WARNING,
                        config.hello() + " has waited for its master for "
                                + DurationText.of(waited.truncatedTo(ChronoUnit.SECONDS)) + ", at most "
                                + DurationText.of(config.absence()) + ": " + last);
            }
        }

        private <T> T until(CompletableFuture<T> event) {
            while (true) {
                check.run();
                try {
                    return event.get(LOOK, TimeUnit.MILLISECONDS);
                } catch (TimeoutException notYet) {
                    Duration waited = Duration.ofNanos(config.timers().nanoTime() - began);
                    tell(waited);
                    if (waited.compareTo(config.absence()) >= 0) {
                        throw new TryAgainException("the master of " + config.hello() + " did not come back within "
                                + DurationText.of(config.absence()) + ", the absenceTimeout: " + last);
                    }
                } catch (ExecutionException impossible) {
                    throw new IllegalStateException(impossible);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    check.run();
                    throw new TryAgainException(config.hello() + " was interrupted while it waited for the master");
                }
            }
        }
    }

    /** Ends the connection and the threads. */
    @Override
    public void close() {
        ConnectAttempt last;
        synchronized (this) {
            closed = true;
            last = present;
        }
        if (last != null) {
            last.close();
        }
        DaemonThreads.end(network, config.settings().close().toMillis(), () -> {
            if (last != null) {
                last.cut();
            }
        });
    }
}
