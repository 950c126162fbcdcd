package dev.edl.operators.controller;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.operators.controller.internal.JoinableThreads;
import dev.edl.operators.controller.internal.Lease;
import dev.edl.operators.controller.internal.ObservedLease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leader election that keeps a session open while this program holds the lease. The session is closed before the lease
 * is released. It is also closed if the lease is not renewed before the renewal deadline, even while the renewing
 * request hangs. That is well before another controller may take the expired lease. Each controller measures with its
 * own clock how long it has seen no renewal, so clock skew does not matter. If this program was suspended beyond the
 * deadline, the next leader's mark in the job records makes its late writes fail.
 */
final class LeaderElection implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    /** Maximum wait at close for each of the two threads to end; neither waits for the network by then. */
    private static final Duration END = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final Lease lease;
    private final String identity;
    private final Supplier<LeaderSession> begin;
    private final Consumer<Error> broken;
    private final Thread thread;
    private final JoinableThreads guards = new JoinableThreads("edl-controller-lease");
    private final ScheduledThreadPoolExecutor guard;
    private final ObservedLease observed = new ObservedLease();
    private volatile @Nullable LeaderSession session;
    private @Nullable Candidacy candidacy;
    /** Last logged lease refusal, so that retries do not log it again; empty once a request succeeded. */
    private volatile String refusal = "";

    private boolean closed;

    LeaderElection(
            KubernetesClient client,
            Lease lease,
            String identity,
            Supplier<LeaderSession> begin,
            Consumer<Error> broken) {
        this.client = client;
        this.lease = lease;
        this.identity = identity;
        this.begin = begin;
        this.broken = broken;
        this.guard = new ScheduledThreadPoolExecutor(1, guards::of);
        this.guard.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.thread = daemon(guarded(this::run), "edl-controller-election");
    }

    private static Thread daemon(Runnable runnable, String name) {
        Thread thread = new Thread(runnable, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a task that passes an Error to the handler, because the thread pool would swallow it. */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Error e) {
                broken.accept(e);
            }
        };
    }

    void start() {
        thread.start();
    }

    /**
     * One candidacy for the lease, from waiting to its end. An ended candidacy sends no more writes, so that it cannot
     * take the lease from the next one.
     */
    private final class Candidacy implements Lock {
        private final Lock lock = new LeaseLock(lease.namespace(), lease.name(), identity);
        private final CompletableFuture<Void> late = new CompletableFuture<>();
        private CompletableFuture<?> race = late;
        private @Nullable Future<?> check;
        private boolean over;
        /** Time when the latest read of the lease began. A renewal that follows this read counts from this time. */
        private long looked;
        /** Start time of the read that the last renewal followed. */
        private long renewed;

        void begin() {
            LeaderElectionConfig config = new LeaderElectionConfigBuilder()
                    .withName("edl-controller")
                    .withLock(this)
                    .withLeaseDuration(lease.duration())
                    .withRenewDeadline(lease.renewal())
                    .withRetryPeriod(lease.retry())
                    .withReleaseOnCancel(true)
                    .withLeaderCallbacks(new LeaderCallbacks(
                            guarded(() -> elected(this)), () -> deposed(this), LeaderElection.this::logLeader))
                    .build();
            race = client.leaderElector().withConfig(config).build().start();
        }

        @Override
        public @Nullable LeaderElectionRecord get(KubernetesClient from) {
            synchronized (LeaderElection.this) {
                if (over) {
                    return null;
                }
                looked = System.nanoTime();
            }
            LeaderElectionRecord found = asked(() -> lock.get(from));
            synchronized (LeaderElection.this) {
                return found == null
                        ? null
                        : observed.observed(found, ZonedDateTime.now(ZoneOffset.UTC), System.nanoTime());
            }
        }

        @Override
        public void create(KubernetesClient in, LeaderElectionRecord record) {
            goesOn();
            asked(() -> {
                lock.create(in, record);
                return null;
            });
            renewed();
        }

        @Override
        public void update(KubernetesClient in, LeaderElectionRecord record) {
            goesOn();
            boolean holds = identity.equals(record.getHolderIdentity());
            if (!holds) {
                deposed(this);
            }
            asked(() -> {
                lock.update(in, record);
                return null;
            });
            if (holds) {
                renewed();
            }
        }

        /**
         * Sends a request for the lease. If the API server forbids it, logs the remedy once, because fabric8 retries
         * without end and its log names no remedy. Rethrows the exception.
         */
        private <T> @Nullable T asked(Supplier<@Nullable T> request) {
            try {
                T answer = request.get();
                refusal = "";
                return answer;
            } catch (KubernetesClientException e) {
                String why = MissingPermission.withGrantCommand(String.valueOf(e.getMessage()));
                if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && !why.equals(refusal)) {
                    refusal = why;
                    LOG.log(
                            Level.WARNING,
                            identity + " cannot lead; retrying: lease " + lease.name() + " of namespace "
                                    + lease.namespace() + ": " + why);
                }
                throw e;
            }
        }

        private void goesOn() {
            synchronized (LeaderElection.this) {
                if (over) {
                    throw new KubernetesClientException(
                            identity + " missed its lease renewal; starting a new election");
                }
            }
        }

        private void renewed() {
            synchronized (LeaderElection.this) {
                long last = looked;
                renewed = last;
                Future<?> earlier = check;
                if (earlier != null) {
                    earlier.cancel(false);
                }
                if (!closed) {
                    check = guard.schedule(
                            guarded(() -> check(last)),
                            lease.renewal().toNanos() - (System.nanoTime() - last),
                            TimeUnit.NANOSECONDS);
                }
            }
        }

        /**
         * Ends this candidacy and closes the session, if the lease was not renewed again since the renewal at
         * {@code last}. Runs at that renewal's deadline.
         */
        private void check(long last) {
            synchronized (LeaderElection.this) {
                if (over || renewed != last) {
                    return;
                }
                over = true;
                LOG.log(Level.WARNING, identity + " could not renew its lease within " + lease.renewal());
                deposed(this);
            }
            // Ends the election without waiting for the hanging request, whose result is ignored.
            late.complete(null);
        }

        @Override
        public String identity() {
            return lock.identity();
        }

        @Override
        public String describe() {
            return lock.describe();
        }
    }

    private void run() {
        while (true) {
            Candidacy now = new Candidacy();
            synchronized (this) {
                if (closed) {
                    return;
                }
                candidacy = now;
                now.begin();
            }
            try {
                CompletableFuture.anyOf(now.race, now.late).join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof CancellationException) {
                    LOG.log(Level.DEBUG, identity + " ended its election");
                } else {
                    LOG.log(Level.WARNING, identity + " lost the lease; starting a new election: " + e.getCause());
                }
            } finally {
                deposed(now);
            }
        }
    }

    private synchronized void elected(Candidacy by) {
        if (!closed && candidacy == by && !by.over && session == null) {
            LOG.log(Level.INFO, identity + " leads");
            session = begin.get();
        }
    }

    private synchronized void deposed(Candidacy by) {
        LeaderSession ending = session;
        if (ending != null && candidacy == by) {
            session = null;
            ending.close();
            LOG.log(Level.INFO, identity + " stopped leading");
        }
    }

    private void logLeader(String leader) {
        LOG.log(
                Level.INFO,
                leader == null || leader.isEmpty() ? "no controller holds the lease" : leader + " holds the lease");
    }

    /** Returns the current session; empty when this program does not lead. Does not block while a session closes. */
    Optional<LeaderSession> term() {
        return Optional.ofNullable(session);
    }

    synchronized boolean leads() {
        return session != null;
    }

    /** Closes the session, then releases the lease, and waits for the threads at most {@link #END} each. */
    @Override
    public void close() {
        Candidacy last;
        CompletableFuture<?> running = null;
        synchronized (this) {
            closed = true;
            last = candidacy;
            if (last != null) {
                deposed(last);
                running = last.race;
            }
        }
        if (running != null) {
            running.cancel(true);
        }
        guard.shutdownNow();
        try {
            thread.join(END.toMillis());
            boolean guardEnded = guards.join(END);
            if (thread.isAlive() || !guardEnded) {
                LOG.log(Level.WARNING, "a thread of " + identity + "'s election did not end within " + END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
