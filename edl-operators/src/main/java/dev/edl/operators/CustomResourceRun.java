package dev.edl.operators;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.ForwardingJobHandle;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.spi.ObservedPod;
import dev.edl.k8s.spi.PodPortForwards;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.util.List;
import java.util.OptionalInt;

/**
 * Run of a job whose custom resource an operator reconciles. Methods that change the job return after the API server
 * accepted the request, and throw when it rejects it. The operator carries the request out. Thread-safe.
 *
 * <p>The job's phase is mapped from the operator's status; the status class in the operator's
 * {@code dev.edl.operators.crd} package describes how. The replicas are the pods with the operator's labels. An event
 * {@link JobEvent.Type#JOB_MESSAGE} reports any other message of the operator.
 */
public final class CustomResourceRun extends ForwardingJobHandle {
    private final KubernetesClient client;
    private final CustomResourceKind resource;
    private final CustomResourceSubstrate substrate;
    private final ControlLoop loop;
    private final List<ConversionLoss> losses;
    private final PodPortForwards ports;
    private volatile boolean closed;

    CustomResourceRun(
            KubernetesClient client,
            CustomResourceKind resource,
            CustomResourceSubstrate substrate,
            ControlLoop loop,
            List<ConversionLoss> losses) {
        super(loop);
        this.client = client;
        this.resource = resource;
        this.substrate = substrate;
        this.loop = loop;
        this.losses = List.copyOf(losses);
        this.ports = new PodPortForwards(
                client,
                loop.plan().name(),
                substrate::pod,
                wake -> substrate.onChange(loop.plan().name(), wake));
    }

    /**
     * Returns the settings of the job that the resource does not express. Empty after
     * {@link CustomResourceExecutor#attach}.
     */
    public List<ConversionLoss> losses() {
        return losses;
    }

    /**
     * Reads the resource from the cluster, with the operator's status.
     *
     * @throws IllegalStateException when the resource was deleted
     * @throws KubernetesClientException when the API server rejects the request
     */
    public CustomObject resource() {
        return CustomObject.of(MissingPermission.callWithGrantCommand(substrate::get));
    }

    /**
     * Requests a new number of replicas of a role, by writing {@code replicas} in the resource or, for a TrainingJob,
     * creating a ScaleIn or ScaleOut. The operator removes the replicas with the highest indexes. An event is emitted
     * once the operator has accepted the change.
     *
     * @throws IllegalArgumentException when the job has no such role, the role is not elastic, or the number is out of
     *     bounds
     * @throws UnsupportedOperationException when the operator cannot scale this resource or this role
     * @throws IllegalStateException when the job has ended or was deleted, this run is closed, or another ScaleIn or
     *     ScaleOut is in progress
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public void scale(String role, int replicas) {
        living("scaled");
        loop.checkScale(role, replicas);
        MissingPermission.callWithGrantCommand(() -> {
            resource.resize().ask(client, resource, plan(), resource(), plan().role(role), replicas);
        });
    }

    /**
     * Creates a ScaleIn or ScaleOut of a TrainingJob, for example a ScaleIn of one worker by its name.
     *
     * <pre>{@code
     * run.scale(ScaleRequest.in("elastic-training", List.of("elastic-training-worker-0")));
     * }</pre>
     *
     * @throws IllegalArgumentException when the request is for another job, or the number of workers would be out of
     *     bounds
     * @throws UnsupportedOperationException when the resource is not a TrainingJob
     * @throws IllegalStateException when the job has ended or was deleted, this run is closed, or another ScaleIn or
     *     ScaleOut is in progress
     * @throws KubernetesClientException when the API server rejects the request
     */
    public void scale(ScaleRequest request) {
        living("scaled");
        if (!request.job().equals(plan().name()) || !request.namespace().equals(plan().namespace())) {
            throw new IllegalArgumentException("the request must be for job " + plan().namespace() + "/"
                    + plan().name() + ", was for " + request.namespace() + "/" + request.job()
                    + "; for example ScaleRequest.out(\"" + plan().name() + "\", 2).namespace(\"" + plan().namespace()
                    + "\")");
        }
        MissingPermission.callWithGrantCommand(() -> {
            ResizeStrategy resize = resource.resize();
            OptionalInt workers = resize.wanted(resource(), request.role());
            if (workers.isPresent()) {
                loop.checkScale(request.role().id(), request.replicas(workers.getAsInt()));
            }
            resize.ask(client, resource, plan(), request);
        });
    }

    /** Deletes a replica's pod; the operator decides whether to relaunch the replica. */
    @Override
    public void delete(String replica) {
        loop.delete(replica);
    }

    /**
     * Opens a byte channel through the API server's port-forward. The account needs {@code create} and {@code get} of
     * {@code pods/portforward}, as in {@link dev.edl.k8s.preflight.SubmitterRole#portForward}. Closing this run closes
     * the channel.
     */
    @Override
    public ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        List<ObservedReplica> there =
                substrate.latest().pods().stream().map(ObservedPod::replica).toList();
        return ports.connect(there, replica, port);
    }

    /**
     * Deletes the resource and everything that the operator made for it; no effect on a job that has ended. The status
     * is CANCELLED once all of it is deleted. Use {@link #suspend} to stop a job that is to be resumed.
     *
     * @throws IllegalStateException when this run is closed and the job has not ended
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public void cancel() {
        if (!loop.state().phase().ended()) {
            if (closed) {
                throw closed("cancelled");
            }
            substrate.cancelled(true);
            try {
                MissingPermission.callWithGrantCommand(() -> {
                    substrate.now().ifPresent(there -> remove(client, resource, there));
                });
            } catch (RuntimeException e) {
                substrate.cancelled(false);
                throw e;
            }
        }
    }

    /**
     * Deletes the resource with foreground propagation: the resource disappears only after its dependents, so nothing
     * of a job is left once its resource no longer exists.
     */
    static void remove(KubernetesClient client, CustomResourceKind resource, GenericKubernetesResource one) {
        PreconditionedDelete.inForeground(client, resource.plural(), one);
    }

    /**
     * Suspends the job by setting {@code spec.runPolicy.suspend}: the operator deletes the pods and keeps the resource.
     * The status is SUSPENDED until {@link #resume}.
     *
     * @throws UnsupportedOperationException when the resource has no such field
     * @throws IllegalStateException when the job has ended or was deleted, or this run is closed
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public void suspend() {
        suspend("suspended", true);
    }

    /**
     * Resumes a suspended job: the operator creates its pods again. No effect on a job that is not suspended.
     *
     * @throws UnsupportedOperationException when the resource has no such field
     * @throws IllegalStateException when the job has ended or was deleted, or this run is closed
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public void resume() {
        suspend("resumed", false);
    }

    private void suspend(String what, boolean suspended) {
        if (!resource.suspends()) {
            throw new UnsupportedOperationException("job \"" + plan().name() + "\" cannot be " + what + ": a "
                    + resource + " has no field for it; cancel() ends the job");
        }
        living(what);
        MissingPermission.callWithGrantCommand(() -> {
            substrate.get();
            one().patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"runPolicy\":{\"suspend\":" + suspended + "}}}");
        });
    }

    private Resource<GenericKubernetesResource> one() {
        return client.genericKubernetesResources(resource.context())
                .inNamespace(plan().namespace())
                .withName(plan().name());
    }

    private void living(String what) {
        JobState state = loop.state();
        if (state.phase().ended()) {
            throw new IllegalStateException("job \"" + plan().name() + "\" cannot be " + what + ", as it has ended: "
                    + state.phase() + ", " + state.message());
        }
        if (closed) {
            throw closed(what);
        }
    }

    private IllegalStateException closed(String what) {
        return new IllegalStateException("job \"" + plan().name() + "\" cannot be " + what + ": its handle is closed");
    }

    /**
     * Stops watching the job, which its operator continues to run; {@link CustomResourceExecutor#attach} attaches to it
     * again.
     */
    @Override
    public void close() {
        closed = true;
        ports.close();
        try {
            loop.close();
        } finally {
            substrate.close();
        }
    }
}
