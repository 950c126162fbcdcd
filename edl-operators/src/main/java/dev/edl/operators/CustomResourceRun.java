package dev.edl.operators;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.spi.ObservedPod;
import dev.edl.k8s.spi.PodPorts;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A job that an operator runs, followed from here. What is asked of it goes to the cluster before the call returns, so that a
 * refusal reaches the caller; the operator carries it out. Thread-safe.
 *
 * <p>The phase is the operator's word, mapped as its {@code crd} package says; the replicas are the pods that carry its labels.
 * An event {@link JobEvent.Type#JOB_MESSAGE} tells what else the operator says.
 */
public final class CustomResourceRun implements JobHandle {
    private final KubernetesClient client;
    private final JobResource resource;
    private final CustomResourceSubstrate substrate;
    private final ControlLoop loop;
    private final List<ConversionLoss> losses;
    private final PodPorts ports;
    private volatile boolean closed;

    CustomResourceRun(
            KubernetesClient client,
            JobResource resource,
            CustomResourceSubstrate substrate,
            ControlLoop loop,
            List<ConversionLoss> losses) {
        this.client = client;
        this.resource = resource;
        this.substrate = substrate;
        this.loop = loop;
        this.losses = List.copyOf(losses);
        this.ports = new PodPorts(
                client,
                loop.plan().name(),
                substrate::pod,
                wake -> substrate.onChange(loop.plan().name(), wake));
    }

    @Override
    public JobPlan plan() {
        return loop.plan();
    }

    /** What the resource does not say of the job, so that the operator does otherwise; empty for one that was attached. */
    public List<ConversionLoss> losses() {
        return losses;
    }

    /**
     * The resource as the cluster has it now, the operator's status in it.
     *
     * @throws IllegalStateException when it was deleted
     * @throws KubernetesClientException when the cluster does not give it
     */
    public CustomObject resource() {
        return CustomObject.of(MissingPermission.telling(substrate::get));
    }

    @Override
    public JobStatus status() {
        return loop.status();
    }

    @Override
    public Optional<String> whyPending(String replica) {
        return loop.whyPending(replica);
    }

    /**
     * Asks the operator for another number of replicas: by {@code replicas} in the resource or, of a TrainingJob, by a ScaleIn or
     * ScaleOut. Which replicas go is the operator's rule: those with the highest indexes. An event says when it was taken.
     *
     * @throws IllegalArgumentException when the job has no such role, the role is not elastic, or the number is out of bounds
     * @throws UnsupportedOperationException when the operator does not scale this resource, or this role
     * @throws IllegalStateException when the job has ended, or was deleted, this handle is closed, or another ScaleIn or ScaleOut
     *     is under way
     * @throws KubernetesClientException when the cluster refuses it
     */
    @Override
    public void scale(String role, int replicas) {
        living("scaled");
        loop.checkScale(role, replicas);
        MissingPermission.telling(() -> {
            resource.resize().ask(client, resource, plan(), resource(), plan().role(role), replicas);
        });
    }

    /** Deletes a replica's pod; what follows is the operator's decision. */
    @Override
    public void delete(String replica) {
        loop.delete(replica);
    }

    /**
     * Opens a byte channel by the API server's port-forward, which needs the right to {@code create} and {@code get} {@code
     * pods/portforward}: {@link dev.edl.k8s.preflight.SubmitterRole#portForward}. Closing this run closes it.
     */
    @Override
    public ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        List<ObservedReplica> there =
                substrate.latest().pods().stream().map(ObservedPod::replica).toList();
        return ports.connect(there, replica, port);
    }

    /**
     * Deletes the resource, and with it all that the operator made of it; no effect on a job that has ended. The status is
     * CANCELLED when nothing of it is left. To stop it in a way that can be taken back, {@link #suspend} it.
     *
     * @throws IllegalStateException when this handle is closed and the job has not ended
     * @throws KubernetesClientException when the cluster refuses it
     */
    @Override
    public void cancel() {
        if (!loop.state().phase().ended()) {
            if (closed) {
                throw closed("cancelled");
            }
            substrate.cancelled(true);
            try {
                MissingPermission.telling(() -> {
                    substrate.now().ifPresent(there -> remove(client, resource, there));
                });
            } catch (RuntimeException e) {
                substrate.cancelled(false);
                throw e;
            }
        }
    }

    /** Its dependents go first, so that a job that is seen no more has left nothing. */
    static void remove(KubernetesClient client, JobResource resource, GenericKubernetesResource one) {
        PreconditionedDelete.inForeground(client, resource.plural(), one);
    }

    /**
     * Lets the operator remove the job's pods and keep the job, by {@code spec.runPolicy.suspend}; the status is SUSPENDED from
     * then on, until {@link #resume}.
     *
     * @throws UnsupportedOperationException when the resource has no such field
     * @throws IllegalStateException when the job has ended, or was deleted, or this handle is closed
     * @throws KubernetesClientException when the cluster refuses it
     */
    @Override
    public void suspend() {
        suspend("suspended", true);
    }

    /**
     * Lets the operator make the pods of a suspended job again; no effect on one that is not suspended.
     *
     * @throws UnsupportedOperationException when the resource has no such field
     * @throws IllegalStateException when the job has ended, or was deleted, or this handle is closed
     * @throws KubernetesClientException when the cluster refuses it
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
        MissingPermission.telling(() -> {
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

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        return loop.await(limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return loop.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return loop.events();
    }

    /** Stops following the job, which its operator continues to run; {@link CustomResourceExecutor#attach} follows it again. */
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

    /** The job's status. */
    @Override
    public String toString() {
        return loop.toString();
    }
}
