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

/** Builder of a {@link Controller}. Not thread-safe. */
public final class ControllerBuilder {
    final KubernetesClient client;
    final List<ManagedKind> kinds = new ArrayList<>();
    final List<String> namespaces = new ArrayList<>();
    String identity = "";
    Optional<NodeNotices> notices = Optional.empty();
    boolean forceDelete = true;
    Optional<Consumer<Error>> broken = Optional.empty();
    ReplicaQuotas quotas = ReplicaQuotas.STANDARD;
    private String leaseNamespace = "";
    private Duration lease = Duration.ofSeconds(15);
    private Duration renewal = Duration.ofSeconds(10);
    private Duration retry = Duration.ofSeconds(2);

    ControllerBuilder(KubernetesClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /** Adds a kind of custom object that the controller drives. A controller needs at least one kind. */
    public ControllerBuilder kind(ManagedKind kind) {
        kinds.add(Objects.requireNonNull(kind, "kind"));
        return this;
    }

    /** Adds namespaces to watch. The default is all namespaces. */
    public ControllerBuilder namespaces(String... names) {
        namespaces.addAll(List.of(names));
        return this;
    }

    /**
     * Makes workers leave a node that is about to be taken away, as
     * {@link dev.edl.k8s.KubernetesExecutorBuilder#nodeNotices} does. One watch of nodes serves all jobs; it needs
     * {@code list} and {@code watch} of nodes, even for a controller of single namespaces. By default workers stay on
     * such nodes.
     *
     * @param tell conditions under which a node counts as about to be taken away
     */
    public ControllerBuilder nodeNotices(NodeNotices tell) {
        this.notices = Optional.of(tell);
        return this;
    }

    /**
     * Limits how many replicas the controller drives in total, per namespace and per job. The default is
     * {@link ReplicaQuotas#STANDARD}.
     *
     * @param most maximum numbers of replicas
     */
    public ControllerBuilder replicas(ReplicaQuotas most) {
        this.quotas = Objects.requireNonNull(most, "most");
        return this;
    }

    /**
     * Handles an {@link Error} in one of the controller's threads, such as an OutOfMemoryError. After it, the state of
     * the thread's work is unknown. The default logs it and closes the controller, so that another one takes the jobs
     * over. {@link ControllerMain} ends the process.
     *
     * @param handler receives the error in the thread that failed, and must not wait for that thread's end
     */
    public ControllerBuilder onError(Consumer<Error> handler) {
        this.broken = Optional.of(handler);
        return this;
    }

    /**
     * Sets whether the controller force-deletes pods that still exist one minute after their grace period; see
     * {@link dev.edl.k8s.KubernetesExecutorBuilder#forceDelete}. The default is true.
     */
    public ControllerBuilder forceDelete(boolean byForce) {
        this.forceDelete = byForce;
        return this;
    }

    /**
     * Sets the name under which this controller holds the lease. No other running controller may use the same name.
     * There is no default.
     */
    public ControllerBuilder identity(String name) {
        this.identity = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the namespace of the Lease {@code edl-controller}. Controllers of the same objects must use the same one, or
     * more than one of them leads. The default is the first watched namespace, or {@code default}. A controller
     * installed by {@link ControllerManifest} uses its own namespace, {@code edl-system}.
     */
    public ControllerBuilder leaseNamespace(String name) {
        this.leaseNamespace = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the times of the lease; the defaults are 15, 10 and 2 s. {@link #start} rejects times unless the renewal
     * time is shorter than the duration and more than 2.2 times the retry period.
     *
     * @param duration time after the last renewal when another controller may take the lease: whole seconds, from 1 to
     *     2147483647
     * @param renewal time after the last renewal when the leader stops driving jobs; shorter than the duration
     * @param retry period of renewals and of attempts to acquire the lease
     */
    public ControllerBuilder lease(Duration duration, Duration renewal, Duration retry) {
        this.lease = duration;
        this.renewal = renewal;
        this.retry = retry;
        return this;
    }

    /**
     * Starts a controller, which drives the objects whenever it holds the lease. If the cluster does not serve a kind,
     * the controller waits until its definition is installed.
     *
     * @throws IllegalArgumentException without a kind or an identity, or when the lease's times do not fit each other
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the client may not watch nodes and node
     *     notices are on
     */
    public Controller start() {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException(
                    "a controller needs at least one kind of objects; for example .kind(JobKinds.tfJob())");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException(
                    "a controller needs an identity that no other controller has; for example"
                            + " .identity(\"desk-of-anna\")");
        }
        String first = namespaces.isEmpty() ? "default" : namespaces.get(0);
        Lease stood =
                new Lease(leaseNamespace.isEmpty() ? first : leaseNamespace, "edl-controller", lease, renewal, retry);
        Controller controller = new Controller(this, stood);
        controller.start();
        return controller;
    }
}
