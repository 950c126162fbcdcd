package dev.edl.k8s.internal.exec;

import dev.edl.exec.Subscription;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.ExecException.Reason;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.k8s.internal.pods.PodSubstrate;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command in one pod, by the exec API. The connection does not show when the container or node is gone, so the pod
 * is watched in parallel. Used once; has no own thread.
 */
public final class PodExec implements ExecListener {
    /** Longest wait, after a command was killed or disconnected, for the pod to report the end of its container. */
    private static final Duration STATUS_LAG = Duration.ofSeconds(3);

    private static final int KILLED = 137;

    private final KubernetesClient client;
    private final PodCommand command;
    private final Supplier<@Nullable Pod> look;
    private final BoundedOutput out;
    private final BoundedOutput err;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean ended;
    private int exitCode = -1;
    private @Nullable Status status;
    private @Nullable Throwable failure;

    /**
     * Creates a command that has not started.
     *
     * @param look returns the pod as the watch knows it; null when it is gone
     */
    PodExec(KubernetesClient client, PodCommand command, Supplier<@Nullable Pod> look) {
        this.client = client;
        this.command = command;
        this.look = look;
        this.out = new BoundedOutput(command.most());
        this.err = new BoundedOutput(command.most());
    }

    /** Runs a command in a pod of a job, by {@link #run}. */
    public static PodResult in(PodSubstrate pods, KubernetesClient client, String name, PodCommand command)
            throws InterruptedException {
        return new PodExec(client, command, () -> pods.pod(name)).run(name, wake -> pods.onChange("", wake));
    }

    /**
     * Runs the command.
     *
     * @param name full name of the pod
     * @param changes subscribes a callback that runs when the pod may have changed
     */
    PodResult run(String name, Function<Runnable, Subscription> changes) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(command.limit());
        Pod pod = look.get();
        if (pod == null) {
            throw fail(name, new UnreachableContainer(Reason.POD_GONE, "the pod is gone"), null);
        }
        String uid = pod.getMetadata().getUid();
        String container = command.container().orElseGet(() -> MainContainer.name(pod));
        Optional<UnreachableContainer> before = UnreachableContainer.stops(pod, uid, container);
        if (before.isPresent()) {
            throw fail(name, before.get(), null);
        }
        Subscription listening = changes.apply(this::changed);
        try (ExecWatch watch = begin(pod, container)) {
            send(watch);
            return await(name, uid, container, end);
        } catch (KubernetesClientException e) {
            throw fail(
                    name,
                    pulse(uid, container)
                            .orElseGet(() -> new UnreachableContainer(
                                    Reason.CONNECTION, WebSocketFailure.describe(client, pod, "pods/exec", e))),
                    e);
        } finally {
            listening.close();
        }
    }

    private Optional<UnreachableContainer> pulse(String uid, String container) {
        return UnreachableContainer.stops(look.get(), uid, container);
    }

    private ExecWatch begin(Pod pod, String container) {
        int most = client.getConfiguration().getRequestTimeout();
        int timeout = (int) Math.min(
                most <= 0 ? Integer.MAX_VALUE : most,
                Math.max(1, command.limit().toMillis()));
        return client.adapt(NamespacedKubernetesClient.class)
                .withRequestConfig(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestTimeout(timeout)
                                .build())
                .call(bounded -> {
                    var target = bounded.pods()
                            .inNamespace(pod.getMetadata().getNamespace())
                            .withName(pod.getMetadata().getName())
                            .inContainer(container);
                    // Written by this thread; fabric8 would use another.
                    return (command.input().isPresent() ? target.redirectingInput() : target)
                            .writingOutput(out)
                            .writingError(err)
                            .usingListener(this)
                            .exec(command.words().toArray(String[]::new));
                });
    }

    private void send(ExecWatch watch) {
        if (command.input().isEmpty()) {
            return;
        }
        try {
            watch.getInput().write(command.input().get().getBytes(StandardCharsets.UTF_8));
            watch.getInput().flush();
        } catch (IOException e) {
            // The program ended without reading, which its exit code shows, or the connection is broken.
            onFailure(e, null);
        }
    }

    private PodResult await(String name, String uid, String container, long end) throws InterruptedException {
        lock.lock();
        try {
            while (!ended) {
                Optional<UnreachableContainer> stop = pulse(uid, container);
                if (stop.isPresent()) {
                    throw fail(name, stop.get(), null);
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw fail(
                            name,
                            new UnreachableContainer(Reason.LIMIT, "it took longer than " + command.limit()),
                            null);
                }
                changed.awaitNanos(left);
            }
            return result(name, uid, container, end);
        } finally {
            lock.unlock();
        }
    }

    private PodResult result(String name, String uid, String container, long end) throws InterruptedException {
        if (status != null && exitCode >= 0 && exitCode != KILLED) {
            return value();
        }
        if (status != null && exitCode < 0) {
            throw fail(
                    name, new UnreachableContainer(Reason.NOT_STARTED, String.valueOf(status.getMessage())), failure);
        }
        // Killed or disconnected by the end of its container, which the pod reports a moment later.
        long last = Math.min(end, System.nanoTime() + STATUS_LAG.toNanos());
        for (long left = last - System.nanoTime(); left > 0; left = last - System.nanoTime()) {
            Optional<UnreachableContainer> stop = pulse(uid, container);
            if (stop.isPresent()) {
                throw fail(name, stop.get(), failure);
            }
            changed.awaitNanos(left);
        }
        if (status != null) {
            return value();
        }
        throw fail(
                name,
                new UnreachableContainer(Reason.CONNECTION, failure == null ? "the connection ended" : why(failure)),
                failure);
    }

    private PodResult value() {
        return new PodResult(exitCode, out.text(), err.text(), out.dropped() + err.dropped());
    }

    private ExecException fail(String name, UnreachableContainer why, @Nullable Throwable cause) {
        return new ExecException(why.reason(), "\"" + command + "\" in pod " + name + ": " + why.describe(), cause);
    }

    private static String why(Throwable broke) {
        return broke.getMessage() == null ? broke.toString() : broke.getMessage();
    }

    @Override
    public void onExit(int code, @Nullable Status of) {
        end(code, of, null);
    }

    @Override
    public void onFailure(Throwable broke, ExecListener.@Nullable Response response) {
        end(-1, null, broke);
    }

    @Override
    public void onClose(int code, String reason) {
        end(-1, null, null);
    }

    /** Stores how the command ended. Only the first call counts; later ones come from closing the connection. */
    private void end(int code, @Nullable Status of, @Nullable Throwable broke) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                exitCode = code;
                status = of;
                failure = broke;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
