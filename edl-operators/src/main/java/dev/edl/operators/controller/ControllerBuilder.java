package dev.edl.operators.controller;

import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.operators.controller.internal.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** What a controller is to look after; see {@link Controller}. Not thread-safe. */
public final class ControllerBuilder {
    final KubernetesClient client;
    final List<ObjectKind> kinds = new ArrayList<>();
    final List<String> namespaces = new ArrayList<>();
    String identity = "";
    Optional<NodeNotices> notices = Optional.empty();
    boolean forceDelete = true;
    Optional<Consumer<Error>> broken = Optional.empty();
    ReplicaLimits limits = ReplicaLimits.STANDARD;
    private String leaseNamespace = "";
    private Duration lease = Duration.ofSeconds(15);
    private Duration renewal = Duration.ofSeconds(10);
    private Duration retry = Duration.ofSeconds(2);

    ControllerBuilder(KubernetesClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /** Looks after the objects of a kind, too; at least one is needed. */
    public ControllerBuilder kind(ObjectKind kind) {
        kinds.add(Objects.requireNonNull(kind, "kind"));
        return this;
    }

    /** Looks after the objects of these namespaces only, and of those of an earlier call; the default is all namespaces. */
    public ControllerBuilder namespaces(String... names) {
        namespaces.addAll(List.of(names));
        return this;
    }

    /**
     * Has workers leave a node that is about to go before they are taken from it, as {@link
     * dev.edl.k8s.KubernetesExecutorBuilder#nodeNotices} does: one watch of nodes for all jobs, which needs {@code list} and
     * {@code watch} of nodes also where only some namespaces are looked after. The default is that they stay.
     *
     * @param tell what tells that a node is about to go
     */
    public ControllerBuilder nodeNotices(NodeNotices tell) {
        this.notices = Optional.of(tell);
        return this;
    }

    /**
     * Limits how many replicas the controller drives. The default is {@link ReplicaLimits#STANDARD}.
     *
     * @param most of a job, of a namespace and in all
     */
    public ControllerBuilder replicas(ReplicaLimits most) {
        this.limits = Objects.requireNonNull(most, "most");
        return this;
    }

    /**
     * Handles an {@link Error} in one of the controller's threads, such as an OutOfMemoryError. After it, the state of the thread's
     * work is unknown. The default logs it and closes the controller, so that another one takes the jobs over. {@link
     * ControllerMain} ends the process.
     *
     * @param handler is called in the thread that broke, and must not wait for it
     */
    public ControllerBuilder onError(Consumer<Error> handler) {
        this.broken = Optional.of(handler);
        return this;
    }

    /**
     * Has pods deleted by force that are not gone a minute after their grace, or not: see {@link
     * dev.edl.k8s.KubernetesExecutorBuilder#forceDelete}. The default is true.
     */
    public ControllerBuilder forceDelete(boolean byForce) {
        this.forceDelete = byForce;
        return this;
    }

    /** How this controller is called in the lease: no two that run may have the same name. There is no default. */
    public ControllerBuilder identity(String name) {
        this.identity = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Where the Lease {@code edl-controller} lies: controllers of the same objects have to have the same, or more than one leads.
     * The default is the first of the namespaces that are looked after, or {@code default}; that of a controller that {@link
     * ControllerManifest} installed lies in its own namespace, {@code edl-system}.
     */
    public ControllerBuilder leaseNamespace(String name) {
        this.leaseNamespace = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * The times of the lease; the defaults are 15, 10 and 2 s. {@link #start} refuses those that do not fit each other.
     *
     * @param duration how long after its last renewal another controller may take it
     * @param renewal how long after it the leader stops driving jobs; shorter
     * @param retry how often it is renewed, or looked at; shorter still
     */
    public ControllerBuilder lease(Duration duration, Duration renewal, Duration retry) {
        this.lease = duration;
        this.renewal = renewal;
        this.retry = retry;
        return this;
    }

    /**
     * Starts a controller; it stands for the lease and, once it has that, looks after the objects. Where a kind is not installed it
     * waits until it is.
     *
     * @throws IllegalArgumentException without a kind or an identity, or when the lease's times do not fit each other
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when nodes are to be watched, and the client may not
     */
    public Controller start() {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException(
                    "a controller needs a kind of objects to look after; for example .kind(Kinds.tfJob())");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException(
                    "a controller needs an identity, other than every other one's; for example .identity(\"desk-of-anna\")");
        }
        String first = namespaces.isEmpty() ? "default" : namespaces.get(0);
        Lease stood =
                new Lease(leaseNamespace.isEmpty() ? first : leaseNamespace, "edl-controller", lease, renewal, retry);
        Controller controller = new Controller(this, stood);
        controller.start();
        return controller;
    }
}
