package dev.edl.operators.controller;

import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.operators.controller.internal.FailureCounters;
import dev.edl.operators.controller.internal.Lease;
import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Controller that runs jobs given as custom resources, in a cluster without their operator.
 * {@code kubectl create -f tf_job.yaml} starts a job, {@code kubectl get} shows its status, {@code kubectl delete}
 * deletes the job with all its pods.
 *
 * <pre>{@code
 * try (Controller controller = Controller.using(client)
 *         .kind(JobKinds.tfJob(TfJobOperatorConfig.parse(text)))
 *         .kind(JobKinds.mxJob())
 *         .namespaces("team-a")
 *         .identity("desk-of-anna")
 *         .start()) {
 *   new CountDownLatch(1).await();
 * } }</pre>
 *
 * <p>It needs only access to the API server. It runs as a Deployment in the cluster ({@link ControllerManifest}) or in
 * a developer's JVM. Of several controllers, only the holder of the lease drives the jobs. If it ends, another controller
 * takes them over. All state of a job is in the cluster, so a takeover loses and repeats nothing.
 *
 * <p>The caller owns the client; the controller does not close it. Thread-safe.
 */
public final class Controller implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Controller.class.getName());

    private final List<ManagedKind> kinds;
    private final List<String> namespaces;
    private final String identity;
    private final Optional<NodeWatch> nodes;
    private final FailureCounters refused = new FailureCounters();
    private final FailureCounters requests = new FailureCounters();
    private final LeaderElection election;

    Controller(ControllerBuilder options, Lease lease) {
        this.kinds = List.copyOf(options.kinds);
        this.namespaces = List.copyOf(options.namespaces);
        this.identity = options.identity;
        KubernetesClient client = options.client;
        this.nodes = options.notices.map(notices -> notices.watch(client));
        Consumer<Error> broken = options.broken.orElse(this::broken);
        LeaderSessionSettings settings = new LeaderSessionSettings(
                kinds, namespaces, nodes, options.forceDelete, options.quotas, refused, requests, broken);
        this.election = new LeaderElection(client, lease, identity, () -> new LeaderSession(client, settings), broken);
    }

    /** Returns a builder of a controller. */
    public static ControllerBuilder using(KubernetesClient client) {
        return new ControllerBuilder(client);
    }

    void start() {
        election.start();
    }

    /**
     * Default handler of an Error in one of the controller's threads: logs it and closes the controller, because the
     * state of that thread's work is unknown. Another controller resumes from the cluster's state.
     */
    private void broken(Error error) {
        LOG.log(Level.ERROR, this + " ends: " + error, error);
        // On its own thread, because close waits for the thread that failed.
        Thread end = new Thread(this::close, "edl-controller-broken");
        end.setDaemon(true);
        end.start();
    }

    /** Returns the current metrics. */
    public ControllerMetricsSnapshot metrics() {
        return election.term()
                .map(LeaderSession::metrics)
                .orElseGet(() -> new ControllerMetricsSnapshot(
                        false,
                        true,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Duration.ZERO,
                        Optional.empty(),
                        Map.of(),
                        refused.counts(),
                        requests.counts()));
    }

    /** Returns whether this controller holds the lease and drives the jobs; false while it is a standby or closed. */
    public boolean leads() {
        return election.leads();
    }

    /**
     * Stops driving jobs, then releases the lease, and returns after both. Abandons threads that do not end in time,
     * for example in a request that hangs, and logs a warning. The pods continue to run; another controller takes the
     * jobs over.
     */
    @Override
    public void close() {
        election.close();
        nodes.ifPresent(NodeWatch::close);
    }

    /** Returns for example {@code controller desk-of-anna leads: TfJob, MxJob in all namespaces}. */
    @Override
    public String toString() {
        return "controller " + identity + (leads() ? " leads: " : " stands by: ")
                + String.join(
                        ", ",
                        kinds.stream()
                                .map(kind ->
                                        kind.definition().getSpec().getNames().getKind())
                                .toList())
                + " in " + (namespaces.isEmpty() ? "all namespaces" : String.join(", ", namespaces));
    }
}
