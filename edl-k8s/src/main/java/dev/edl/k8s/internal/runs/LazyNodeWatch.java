package dev.edl.k8s.internal.runs;

import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.nodes.NodeWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An executor's watch of nodes, which begins with its first job; none where the executor was not told to watch nodes. Thread-safe. */
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

    /** A watch of the executor's own. */
    public static LazyNodeWatch of(NodeNotices notices) {
        return new LazyNodeWatch(Optional.of(notices), null);
    }

    /** A watch of the caller, which the caller ends. */
    public static LazyNodeWatch of(NodeWatch theirs) {
        return new LazyNodeWatch(Optional.empty(), theirs);
    }

    /** Whether this executor watches nodes itself, and so has to be allowed to. */
    public boolean own() {
        return notices.isPresent();
    }

    /** The watch, begun now if it was not. */
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
