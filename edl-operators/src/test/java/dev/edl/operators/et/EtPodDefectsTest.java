package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.JobPodsFixture;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.spi.JobPods;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** et-operator's defects j, p and q with pods and Services (reference), by letter. */
@MockCluster
class EtPodDefectsTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .horovod()
            .image("horovod:1")
            .launcher()
            .workers(2)
            .elastic(1, 9)
            .build()
            .plan(Profile.ET_V1ALPHA1);

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private JobRecord record() {
        return JobRecord.create(ClusterApi.of(client, "test"), PLAN, JobState.initial(PLAN), "test", Optional.empty());
    }

    private static Action create(int id) {
        return new Action.CreateReplica(PLAN.replica("worker", id));
    }

    private static Action delete(int id, boolean graceful) {
        return new Action.DeleteReplica(PLAN.replica("worker", id).name(), "a test", graceful);
    }

    /** Returns the body of the last request to delete a pod. */
    private String deletion() throws InterruptedException {
        while (true) {
            RecordedRequest request = server.takeRequest(10, TimeUnit.SECONDS);
            assertThat(request).as("a request to delete a pod").isNotNull();
            if (request.getMethod().equals("DELETE") && request.getPath().contains("/pods/")) {
                return request.getUtf8Body();
            }
        }
    }

    // E.D j: every delete had a grace period of 0
    @Test
    void j_a_worker_that_is_scaled_away_has_the_grace_of_its_pod() throws InterruptedException {
        try (PodSubstrate pods = new PodSubstrate(
                ClusterApi.of(client, "test"),
                PLAN,
                PodTemplates.of(PLAN),
                record(),
                Optional.empty(),
                Runnable::run)) {
            pods.apply(PLAN, create(0));
            pods.apply(PLAN, delete(0, true));
            assertThat(deletion()).doesNotContain("gracePeriodSeconds");

            pods.apply(PLAN, create(1));
            pods.apply(PLAN, delete(1, false));
            assertThat(deletion()).contains("\"gracePeriodSeconds\":0");
        }
    }

    // E.D p: replaced workers left their Services behind
    @Test
    void p_there_are_as_many_services_as_workers_however_often_these_come_and_go() {
        JobRecord record = record();
        PodTemplates templates = PodTemplates.of(PLAN);
        try (ServicePerPodSubstrate pods = new ServicePerPodSubstrate(JobPodsFixture.of(
                client,
                PLAN,
                templates,
                new PodSubstrate(
                        ClusterApi.of(client, "test"), PLAN, templates, record, Optional.empty(), Runnable::run),
                "me"))) {
            for (int id = 0; id < 9; id++) {
                pods.apply(PLAN, create(id));
                if (id > 1) {
                    pods.apply(PLAN, delete(id - 2, true));
                }
            }
            pods.apply(PLAN, new Action.CreateReplica(PLAN.replica("launcher", 0)));
        }

        assertThat(client.services().inNamespace("test").list().getItems())
                .extracting((Service service) -> service.getMetadata().getName())
                .containsExactlyInAnyOrder("mnist-worker-7", "mnist-worker-8");
    }

    @Test
    void pods_with_services_are_as_old_as_their_watch() {
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        Substrate old = new Silent() {
            @Override
            public Optional<Instant> staleSince() {
                return Optional.of(since);
            }
        };
        JobPods pods = (JobPods) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobPods.class}, (self, method, arguments) -> old);

        try (ServicePerPodSubstrate served = new ServicePerPodSubstrate(pods)) {
            assertThat(served.staleSince()).contains(since);
        }
    }

    /** Substrate on which every created pod runs, until observations fail. */
    private static class Silent implements Substrate {
        private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
        private final Map<String, ObservedReplica> replicas = new ConcurrentHashMap<>();
        private volatile boolean silent;

        void fallSilent() {
            silent = true;
            wakes.forEach(Runnable::run);
        }

        @Override
        public JobObservation observe(JobPlan plan) {
            if (silent) {
                throw new IllegalStateException("get launcher: the server could not find what was asked for in time");
            }
            return new JobObservation(List.copyOf(replicas.values()));
        }

        @Override
        public void apply(JobPlan plan, Action action) {
            if (action instanceof Action.CreateReplica create) {
                ReplicaPlan replica = create.replica();
                replicas.put(
                        replica.name(),
                        ObservedReplica.of(replica.name(), replica.role(), replica.id(), ObservedPhase.RUNNING));
                wakes.forEach(Runnable::run);
            }
        }

        @Override
        public Subscription onChange(String job, Runnable wake) {
            wakes.add(wake);
            return () -> wakes.remove(wake);
        }

        @Override
        public void close() {}
    }

    // E.D q: any failed query of the launcher, except that it was missing, counted as a healthy launcher
    @Test
    void q_a_launcher_of_which_nothing_can_be_learned_is_neither_done_nor_lost() throws InterruptedException {
        Silent place = new Silent();
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        try (ControlLoop loop = ControlLoop.of(PLAN, place)
                .onEvent(event -> {
                    if (event.type() == JobEvent.Type.JOB_RUNNING) {
                        runs.countDown();
                    } else if (event.type() == JobEvent.Type.SUBSTRATE_FAILED) {
                        failed.countDown();
                    }
                })
                .start()) {
            assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
            place.fallSilent();
            assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();

            assertThat(loop.state().phase()).isEqualTo(JobPhase.RUNNING);
            assertThat(loop.events())
                    .anyMatch(event -> event.message().contains("get launcher: the server could not find"))
                    .noneMatch(event -> event.type() == JobEvent.Type.JOB_SUCCEEDED);
        }
    }
}
