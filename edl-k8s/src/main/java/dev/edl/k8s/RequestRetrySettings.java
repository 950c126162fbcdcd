package dev.edl.k8s;

import dev.edl.exec.ControlLoopBuilder;
import dev.edl.exec.RequestFailure;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.internal.events.EventRecorder;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Reconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Settings by which an executor's control loops retry and report failed requests.
 *
 * @param retry backoff between retries of a failed request
 * @param unreachable how long the cluster may be unreachable; empty for no limit
 * @param forceDelete whether a pod that still exists 1m after its grace period is force-deleted
 * @param listeners listeners that are called after each failed request
 * @param events recorder that writes failures as Kubernetes Events, which {@code kubectl describe} shows
 */
record RequestRetrySettings(
        RetryPolicy retry,
        Optional<Duration> unreachable,
        boolean forceDelete,
        List<BiConsumer<JobPlan, RequestFailure>> listeners,
        EventRecorder events)
        implements AutoCloseable {
    /**
     * Longest delay until the job's record has changes that can be seen from the pods, for example that one runs or was
     * deleted.
     */
    private static final Duration SEEN_LAG = Duration.ofSeconds(5);

    static RequestRetrySettings of(KubernetesExecutorBuilder builder, KubernetesClient client) {
        return new RequestRetrySettings(
                builder.retry,
                builder.unreachable,
                builder.forceDelete,
                List.copyOf(builder.failures),
                new EventRecorder(client, InstantSource.system()));
    }

    ControlLoopBuilder on(ControlLoopBuilder loop, JobPlan plan, PodSubstrate pods) {
        unreachable.ifPresent(loop::unreachableTimeout);
        loop.reconciler(Reconciler.standard(forceDelete));
        listeners.forEach(listener -> loop.onRequestFailure(failure -> listener.accept(plan, failure)));
        return loop.retry(retry)
                .onRequestFailure(failure -> warn(failure, pods))
                .journal(pods.record()::save, SEEN_LAG);
    }

    private void warn(RequestFailure failure, PodSubstrate pods) {
        String message = "Error: " + failure.message();
        events.warn(
                job(pods.record().object()), reason(failure), failure.cause().reason(), message);
        failure.replicas().stream()
                .map(pods::pod)
                .filter(pod -> pod != null)
                .findFirst()
                .ifPresent(pod ->
                        events.warn(about(pod), reason(failure), failure.cause().reason(), message));
    }

    /**
     * Returns the reason for the failure's Event, in the words of Kubernetes' own controllers, such as
     * {@code FailedCreate}.
     */
    private static String reason(RequestFailure failure) {
        return switch (failure.request()) {
            case CREATE -> "FailedCreate";
            case DELETE, COLLECT -> "FailedDelete";
            case PERSIST -> "FailedUpdate";
            case OBSERVE -> "FailedSync";
        };
    }

    /**
     * Returns the object that the Events are about: the custom resource that owns the job's record or, without one, the
     * record.
     */
    private static ObjectReference job(ConfigMap record) {
        return record.getMetadata().getOwnerReferences().stream()
                .findFirst()
                .map(owner -> new ObjectReferenceBuilder()
                        .withApiVersion(owner.getApiVersion())
                        .withKind(owner.getKind())
                        .withName(owner.getName())
                        .withUid(owner.getUid()))
                .orElseGet(() -> new ObjectReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName(record.getMetadata().getName())
                        .withUid(record.getMetadata().getUid()))
                .withNamespace(record.getMetadata().getNamespace())
                .build();
    }

    private static ObjectReference about(Pod pod) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .withNamespace(pod.getMetadata().getNamespace())
                .build();
    }

    @Override
    public void close() {
        events.close();
    }
}
