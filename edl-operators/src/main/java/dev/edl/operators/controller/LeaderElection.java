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
 * Holds a term whenever this program has the lease. The term is over before the lease is given up, and when the lease was not renewed
 * in time, even while the request that renews it hangs: well before another controller takes a lease that ran out. Each controller
 * measures by its own clock how long it has seen no renewal, so clocks that differ do not matter. Should this program have slept
 * over that, the records of the jobs have the mark of the next leader.
 */
final class LeaderElection implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    /** How long each of the threads has to end; neither waits for the network then. */
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
    /** What was told of the last request for the lease, once for all its repetitions; empty when it was granted. */
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

    /** Returns a task that reports an Error to the handler, since the thread pool would swallow it. */
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
     * One stand for the lease, from waiting for it to its end. Of one that is over nothing is written any more, so that what is left
     * of it takes nothing from the next.
     */
    private final class Candidacy implements Lock {
        private final Lock lock = new LeaseLock(lease.namespace(), lease.name(), identity);
        private final CompletableFuture<Void> late = new CompletableFuture<>();
        private CompletableFuture<?> race = late;
        private @Nullable Future<?> check;
        private boolean over;
        /** When it was begun to look at the lease, which is the time that a renewal after it has. */
        private long looked;
        /** The time of the last renewal. */
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
                            guarded(() -> elected(this)), () -> deposed(this), LeaderElection.this::told))
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

        /** fabric8 tries again without end, and its log has a refusal without what helps. */
        private <T> @Nullable T asked(Supplier<@Nullable T> request) {
            try {
                T answer = request.get();
                refusal = "";
                return answer;
            } catch (KubernetesClientException e) {
                String why = MissingPermission.told(String.valueOf(e.getMessage()));
                if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && !why.equals(refusal)) {
                    refusal = why;
                    LOG.log(
                            Level.WARNING,
                            identity + " cannot lead, which is tried again: lease " + lease.name() + " of namespace "
                                    + lease.namespace() + ": " + why);
                }
                throw e;
            }
        }

        private void goesOn() {
            synchronized (LeaderElection.this) {
                if (over) {
                    throw new KubernetesClientException(
                            identity + " was too late with its lease, and stands for it anew");
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

        /** Ends the term if the lease was not renewed since that renewal; runs once the renewal deadline is over. */
        private void check(long last) {
            synchronized (LeaderElection.this) {
                if (over || renewed != last) {
                    return;
                }
                over = true;
                LOG.log(Level.WARNING, identity + " could not renew its lease within " + lease.renewal());
                deposed(this);
            }
            // Ends the election without waiting for the request that hangs: its result is ignored.
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
                    LOG.log(Level.DEBUG, identity + " stands for no election any more");
                } else {
                    LOG.log(Level.WARNING, identity + " lost the lease, and stands for it again: " + e.getCause());
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
            LOG.log(Level.INFO, identity + " leads no more");
        }
    }

    private void told(String leader) {
        LOG.log(
                Level.INFO,
                leader == null || leader.isEmpty() ? "no controller has the lease" : leader + " has the lease");
    }

    /** Returns the term; empty when this program does not lead. Waits for no term that is ending. */
    Optional<LeaderSession> term() {
        return Optional.ofNullable(session);
    }

    synchronized boolean leads() {
        return session != null;
    }

    /** Ends the term, gives the lease up, and waits for both and for the threads. */
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
