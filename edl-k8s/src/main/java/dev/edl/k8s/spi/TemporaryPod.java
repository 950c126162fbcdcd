package dev.edl.k8s.spi;

import dev.edl.exec.Subscription;
import dev.edl.internal.text.DurationText;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.ReconnectingInformer;
import dev.edl.k8s.internal.exec.PortChannel;
import dev.edl.k8s.internal.exec.UnreachableContainer;
import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pod that exists for one conversation with its program. The program listens on the pod's loopback address, and the API
 * server's port-forward transports the conversation. Used once.
 *
 * <p>A pod that does not start is logged with each new reason, such as {@code Unschedulable}. A pod that cannot start
 * with its spec fails at once, and a pod that is blocked otherwise after two minutes.
 */
public final class TemporaryPod {
    private static final Logger LOG = System.getLogger(TemporaryPod.class.getName());
    /** Delay in milliseconds before the next try to connect to a pod that did not answer. */
    private static final long AGAIN_MILLIS = 200;
    /**
     * Longest time in which a pod may be blocked, for example by an image that cannot be pulled. The kubelet retries a
     * pull after 10, 20, 40 and 80 seconds.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Conversation with the pod's program. */
    @FunctionalInterface
    public interface Conversation {
        /**
         * Writes to the program and reads its answers.
         *
         * @param channel connection to the program; a read fails at the end of the time limit
         * @return empty if the conversation is complete, or a failure if a new connection may help
         * @throws IOException for a failure that a new connection does not mend
         */
        Optional<IOException> with(ByteChannel channel) throws IOException;
    }

    private final KubernetesClient client;
    private final Pod pod;
    private final Duration limit;
    private final String task;
    private final Supplier<String> advice;
    private final Duration patience;
    private final Set<String> reasons = new HashSet<>();
    private Duration silence;
    private boolean known;
    private long end;
    /** Time at which a blocked pod fails; null while it is not blocked. */
    private @Nullable Long blockedEnd;

    /**
     * Creates the description of a pod that does not exist yet.
     *
     * @param limit longest duration of the conversation, including the start of the pod
     * @param task begin of the messages of failures, such as {@code job "mnist": /data/model was not read: }
     * @param advice returns the end of the messages when the program does not run or does not answer
     */
    public TemporaryPod(KubernetesClient client, Pod pod, Duration limit, String task, Supplier<String> advice) {
        this(client, pod, limit, task, advice, PATIENCE);
    }

    TemporaryPod(
            KubernetesClient client, Pod pod, Duration limit, String task, Supplier<String> advice, Duration patience) {
        this.patience = patience;
        silence = limit;
        this.client = client;
        this.pod = pod;
        this.limit = limit;
        this.task = task;
        this.advice = advice;
    }

    /** Bounds the silence of a program that gives signs of life: then a new connection continues. */
    public TemporaryPod silence(Duration longest) {
        silence = longest;
        return this;
    }

    /**
     * Creates the pod, watches it, has the conversation, and deletes the pod.
     *
     * @param port port on the pod's loopback address
     * @param created receives the created pod, for example to create an object that it owns
     * @throws IOException when the pod does not run, or the conversation fails
     * @throws KubernetesClientException when the API server refuses a request; for a missing permission, the message
     *     has the command that grants it
     */
    public void run(int port, Consumer<Pod> created, Conversation conversation)
            throws IOException, InterruptedException {
        String namespace = pod.getMetadata().getNamespace();
        Wakes wakes = new Wakes();
        try (SharedIndexInformer<Pod> watch = MissingPermission.callWithGrantCommand(() -> ReconnectingInformer.of(
                client.pods().inNamespace(namespace).withName(name()), wakes, 0, "pod " + name()))) {
            run(
                    port,
                    name -> Optional.ofNullable(watch.getStore().getByKey(namespace + "/" + name)),
                    wakes::add,
                    created,
                    conversation);
        }
    }

    /**
     * Creates the pod, has the conversation, and deletes the pod, also when this JVM exits.
     *
     * @param port port on the pod's loopback address
     * @param pods returns the known pod of a name
     * @param changes subscribes a callback that runs whenever a pod may have changed
     * @param created receives the created pod
     * @throws IOException when the pod does not run, or the conversation fails
     * @throws KubernetesClientException when the API server refuses a request; for a missing permission, the message
     *     has the command that grants it
     */
    public void run(
            int port,
            Function<String, Optional<Pod>> pods,
            Function<Runnable, Subscription> changes,
            Consumer<Pod> created,
            Conversation conversation)
            throws IOException, InterruptedException {
        end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit);
        // Ctrl-C runs no finally block.
        Thread exit = new Thread(this::delete, "deletes pod " + name());
        Runtime.getRuntime().addShutdownHook(exit);
        try {
            MissingPermission.callWithGrantCommand(
                    () -> created.accept(client.resource(pod).create()));
            converse(port, pods, changes, conversation);
        } finally {
            delete();
            remove(exit);
        }
    }

    private static void remove(Thread exit) {
        try {
            Runtime.getRuntime().removeShutdownHook(exit);
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "this JVM exits, and the hook deletes the pod", e);
        }
    }

    private String name() {
        return pod.getMetadata().getName();
    }

    private void delete() {
        try {
            MissingPermission.callWithGrantCommand(() -> client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(name())
                    .withGracePeriod(0)
                    .delete());
        } catch (KubernetesClientException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "pod " + name() + " cannot be deleted: " + e.getMessage()
                            + "\nIt ends by its deadline. To delete it: kubectl delete pod " + name()
                            + " --namespace " + pod.getMetadata().getNamespace());
        }
    }

    private void converse(
            int port,
            Function<String, Optional<Pod>> pods,
            Function<Runnable, Subscription> changes,
            Conversation conversation)
            throws IOException, InterruptedException {
        Semaphore changed = new Semaphore(0);
        Subscription subscription = changes.apply(changed::release);
        try {
            @Nullable IOException last = null;
            while (true) {
                if (isRunning(pods.apply(name()), last)) {
                    Optional<IOException> silence = connected(port, pods, changes, conversation);
                    if (silence.isEmpty()) {
                        return;
                    }
                    // The earlier failure is more specific than the timeout.
                    last = last == null || System.nanoTime() - end < 0 ? silence.get() : last;
                }
                long now = System.nanoTime();
                long wait = blockedEnd == null ? end - now : Math.min(end - now, blockedEnd - now);
                long left = TimeUnit.NANOSECONDS.toMillis(wait) + 1;
                changed.tryAcquire(last == null ? left : Math.min(left, AGAIN_MILLIS), TimeUnit.MILLISECONDS);
                changed.drainPermits();
            }
        } finally {
            subscription.close();
        }
    }

    /**
     * Returns whether the pod runs; false while it may still start.
     *
     * @param last failure of the last connection; null before the first
     * @throws IOException when the pod will not run, or the time limit has passed
     */
    private boolean isRunning(Optional<Pod> seen, @Nullable IOException last) throws IOException {
        Optional<ObservedReplica> view = seen.map(there -> PodMapper.of(there, RoleType.MASTER, 0));
        String says = view.map(TemporaryPod::describe).orElse("");
        if (seen.isEmpty() && known) {
            throw failed("pod " + name() + " was deleted", last);
        }
        known |= seen.isPresent();
        if (view.filter(one -> one.phase() == ObservedPhase.SUCCEEDED || one.phase() == ObservedPhase.FAILED)
                .isPresent()) {
            throw failed("pod " + name() + " has ended" + says + advice.get(), last);
        }
        if (seen.isPresent() && last == null) {
            starts(seen.get(), view.orElseThrow());
        }
        if (System.nanoTime() - end >= 0) {
            String limit = " within " + DurationText.of(this.limit);
            throw failed(
                    last == null
                            ? "pod " + name() + " does not run" + limit + (says.isEmpty() ? events() : says)
                            : "pod " + name() + " has not answered" + limit + ": " + why(last) + advice.get(),
                    last);
        }
        return seen.filter(there -> UnreachableContainer.stops(
                                there, there.getMetadata().getUid(), MainContainer.name(there))
                        .isEmpty())
                .isPresent();
    }

    /**
     * Logs why the pod has not started, once for each reason.
     *
     * @throws IOException when the pod will not start
     */
    private void starts(Pod there, ObservedReplica view) throws IOException {
        boolean blocked = view.phase() == ObservedPhase.BLOCKED;
        if (blocked && PodMapper.neverStarts(there)) {
            throw failed("pod " + name() + " cannot start" + describe(view), null);
        }
        long now = System.nanoTime();
        if (!blocked) {
            blockedEnd = null;
        } else if (blockedEnd == null) {
            blockedEnd = now + patience.toNanos();
        }
        if (blockedEnd != null && now - blockedEnd >= 0) {
            throw failed("pod " + name() + " could not start for " + DurationText.of(patience) + describe(view), null);
        }
        if ((blocked || view.phase() == ObservedPhase.PENDING)
                && view.reason().filter(reasons::add).isPresent()) {
            LOG.log(Level.WARNING, () -> "pod " + name() + (blocked ? " cannot start" : " waits") + describe(view));
        }
    }

    /** Returns the reason of a broken connection. The end of a stream and a closed channel have no message. */
    static String why(IOException broken) {
        return Objects.requireNonNullElse(broken.getMessage(), "the connection was closed");
    }

    private static String describe(ObservedReplica pod) {
        return (pod.exitCode().isPresent() ? " with exit code " + pod.exitCode().getAsInt() : "")
                + pod.reason().map(reason -> ": " + reason).orElse("")
                + pod.message().map(message -> ": " + message.strip()).orElse("");
    }

    /** Returns the command that lists the pod's events: the pod's status has no reason of a mount. */
    private String events() {
        return "; its events may have the reason: kubectl get events --namespace "
                + pod.getMetadata().getNamespace() + " --field-selector involvedObject.name=" + name();
    }

    private IOException failed(String why, @Nullable Throwable cause) {
        return new IOException(task + why, cause);
    }

    /** Has the conversation on a new connection. Returns the failure if a retry may help. */
    private Optional<IOException> connected(
            int port,
            Function<String, Optional<Pod>> pods,
            Function<Runnable, Subscription> changes,
            Conversation conversation)
            throws IOException, InterruptedException {
        boolean open = false;
        try (PortChannel channel = PortChannel.open(client, pods, changes, name(), port)) {
            channel.until(end);
            channel.silence(silence);
            open = true;
            Optional<IOException> broken = conversation.with(channel);
            if (broken.isPresent() && Thread.interrupted()) {
                throw new InterruptedException(task + "interrupted");
            }
            return broken;
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(task + "interrupted");
            }
            if (open || isRefused(e)) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /**
     * Returns whether the API server rejected the WebSocket handshake with a code below 500, so that a retry is
     * useless.
     */
    private static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof WebSocketHandshakeException answer) {
                return answer.getResponse().code() < HttpURLConnection.HTTP_INTERNAL_ERROR;
            }
        }
        return false;
    }

    /** Calls callbacks after each event of a watch. */
    private static final class Wakes implements ResourceEventHandler<Pod> {
        private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();

        Subscription add(Runnable callback) {
            callbacks.add(callback);
            return () -> callbacks.remove(callback);
        }

        @Override
        public void onAdd(Pod pod) {
            callbacks.forEach(Runnable::run);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            onAdd(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            onAdd(pod);
        }
    }
}
