package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PodJsonCacheTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .master()
            .workers(2)
            .build()
            .plan();

    // Used only for its JSON.
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final List<Runnable> begun = new ArrayList<>();
    private final AtomicInteger made = new AtomicInteger();
    private final PodOptions counting = PodOptions.builder()
            .pod(pod -> {
                made.incrementAndGet();
                return pod;
            })
            .build();

    @AfterEach
    void close() {
        client.close();
    }

    private PodJsonCache texts(Executor executor) {
        return new PodJsonCache(
                ClusterApi.of(client, "test"),
                PodTemplates.of(PLAN, counting),
                new OwnerReferenceBuilder()
                        .withUid("u1")
                        .withName("edl-job-mnist")
                        .build(),
                false,
                executor);
    }

    private static List<Action> creations(int count) {
        return IntStream.range(0, count)
                .mapToObj(id -> (Action) new Action.CreateReplica(PLAN.replica(RoleType.WORKER, id, id)))
                .toList();
    }

    @Test
    void a_pod_is_its_replicas_own_and_the_jobs() {
        ReplicaPlan worker = PLAN.replica("worker", 1);

        Pod pod =
                client.getKubernetesSerialization().unmarshal(texts(begun::add).take(worker), Pod.class);

        assertThat(pod.getMetadata().getName()).isEqualTo("elasticdl-mnist-worker-1");
        assertThat(pod.getMetadata().getNamespace()).isEqualTo("test");
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("edl.dev/replica-id", "1");
        assertThat(pod.getMetadata().getOwnerReferences().get(0).getUid()).isEqualTo("u1");
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getContainers().get(0).getTerminationMessagePolicy())
                .isEqualTo("FallbackToLogsOnError");
    }

    @Test
    void prepared_json_is_not_built_again() {
        PodJsonCache cache = texts(Runnable::run);
        cache.prepare(creations(2));
        assertThat(made).hasValue(2);

        String ready = cache.take(PLAN.replica(RoleType.WORKER, 1, 1));

        assertThat(made).hasValue(2);
        assertThat(ready).isEqualTo(texts(begun::add).take(PLAN.replica(RoleType.WORKER, 1, 1)));
    }

    @Test
    void unfinished_preparation_is_not_waited_for() {
        PodJsonCache cache = texts(begun::add);
        cache.prepare(creations(1));

        assertThat(begun).hasSize(1);
        assertThat(cache.take(PLAN.replica("worker", 0))).contains("elasticdl-mnist-worker-0");
    }

    @Test
    void json_prepared_for_another_decision_is_dropped() {
        PodJsonCache cache = texts(Runnable::run);
        cache.prepare(creations(2));
        cache.prepare(creations(1));
        assertThat(made).hasValue(3);

        cache.take(PLAN.replica(RoleType.WORKER, 1, 1));

        assertThat(made).hasValue(4);
    }

    @Test
    void json_of_many_pods_is_built_at_creation() {
        texts(begun::add).prepare(creations(17));

        assertThat(begun).isEmpty();
    }

    @Test
    void nothing_is_prepared_for_a_deletion() {
        texts(begun::add).prepare(List.of(new Action.DeleteReplica("elasticdl-mnist-worker-0", "a test", true)));

        assertThat(begun).isEmpty();
    }

    @Test
    void a_closed_executor_changes_nothing() {
        PodJsonCache cache = texts(task -> {
            throw new RejectedExecutionException("closed");
        });
        cache.prepare(creations(1));

        assertThat(cache.take(PLAN.replica("worker", 0))).contains("elasticdl-mnist-worker-0");
    }
}
