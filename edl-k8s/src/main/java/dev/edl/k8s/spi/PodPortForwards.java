package dev.edl.k8s.spi;

import dev.edl.exec.Subscription;
import dev.edl.k8s.internal.exec.PortChannel;
import dev.edl.k8s.internal.pods.ReplicaNameLookup;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Byte channels to the pods of one job by the API server's port-forward. They close with the job's run. Thread-safe.
 */
public final class PodPortForwards implements AutoCloseable {
    private final KubernetesClient client;
    private final String job;
    private final Function<String, Optional<Pod>> pods;
    private final Function<Runnable, Subscription> changes;
    private final List<PortChannel> channels = new ArrayList<>();
    private boolean closed;

    /**
     * Creates the channels of one run.
     *
     * @param client Kubernetes client of the cluster
     * @param job name of the job, for messages
     * @param pods the job's pods as a watch knows them, by name
     * @param changes subscribes a callback that runs whenever a pod may have changed, until the subscription is closed
     */
    public PodPortForwards(
            KubernetesClient client,
            String job,
            Function<String, Optional<Pod>> pods,
            Function<Runnable, Subscription> changes) {
        this.client = client;
        this.job = job;
        this.pods = pods;
        this.changes = changes;
    }

    /**
     * Opens a channel to a port of a replica's pod.
     *
     * @param there existing replicas of the job
     * @param replica {@code worker-0}, {@code master}, or a pod's full name
     * @throws IOException when the pod does not run, the API server refuses or does not answer, or these channels are
     *     closed
     * @throws IllegalArgumentException when no replica has the name, or for an invalid port
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public ByteChannel connect(Collection<ObservedReplica> there, String replica, int port)
            throws IOException, InterruptedException {
        PortChannel channel =
                PortChannel.open(client, pods, changes, ReplicaNameLookup.full(job, there, replica), port);
        synchronized (this) {
            channels.removeIf(open -> !open.isOpen());
            channels.add(channel);
            if (!closed) {
                return channel;
            }
        }
        channel.close();
        throw new IOException("job \"" + job + "\" accepts no connections: its handle is closed");
    }

    /** Closes the channels; no new one can be opened. */
    @Override
    public synchronized void close() {
        closed = true;
        channels.forEach(PortChannel::close);
    }
}
