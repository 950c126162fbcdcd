package dev.edl.k8s.internal.runs;

import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.nodes.NodeWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Node watch of an executor, which starts with the executor's first job. It is empty if the executor does not watch
 * nodes. Thread-safe.
 */
public final class LazyNodeWatch implements AutoCloseable {
    private final Optional<NodeNotices> notices;
    private final boolean shared;
    private @Nullable NodeWatch watch;

    private LazyNodeWatch(Optional<NodeNotices> notices, @Nullable NodeWatch watch) {
        this.notices = notices;
        this.shared = watch != null;
        this.watch = watch;
    }

    public static LazyNodeWatch none() {
        return new LazyNodeWatch(Optional.empty(), null);
    }

    /** Returns a node watch that the executor starts and closes itself. */
    public static LazyNodeWatch of(NodeNotices notices) {
        return new LazyNodeWatch(Optional.of(notices), null);
    }

    /** Returns a node watch that the caller has started and closes. */
    public static LazyNodeWatch of(NodeWatch theirs) {
        return new LazyNodeWatch(Optional.empty(), theirs);
    }

    /** Returns whether this executor watches nodes itself, and so needs permission to. */
    public boolean own() {
        return notices.isPresent();
    }

    /** Returns the node watch, and starts it if necessary; empty if the executor does not watch nodes. */
    public synchronized Optional<NodeWatch> open(KubernetesClient client) {
        if (watch == null && notices.isPresent()) {
            watch = notices.get().watch(client);
        }
        return Optional.ofNullable(watch);
    }

    @Override
    public synchronized void close() {
        if (watch != null && !shared) {
            watch.close();
        }
    }
}
