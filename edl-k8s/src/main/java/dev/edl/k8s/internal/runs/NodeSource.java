package dev.edl.k8s;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An executor's watch of nodes, which begins with its first job; none where nobody asked for it. Thread-safe. */
final class NodeSource implements AutoCloseable {
    private final Optional<NodeNotices> notices;
    private final boolean shared;
    private @Nullable NodeWatch watch;

    private NodeSource(Optional<NodeNotices> notices, @Nullable NodeWatch watch) {
        this.notices = notices;
        this.shared = watch != null;
        this.watch = watch;
    }

    static NodeSource none() {
        return new NodeSource(Optional.empty(), null);
    }

    /** A watch of the executor's own. */
    static NodeSource of(NodeNotices notices) {
        return new NodeSource(Optional.of(notices), null);
    }

    /** Somebody else's watch, who ends it. */
    static NodeSource of(NodeWatch theirs) {
        return new NodeSource(Optional.empty(), theirs);
    }

    /** Whether this executor watches nodes itself, and so has to be allowed to. */
    boolean own() {
        return notices.isPresent();
    }

    /** The watch, begun now if it was not. */
    synchronized Optional<NodeWatch> open(KubernetesClient client) {
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
