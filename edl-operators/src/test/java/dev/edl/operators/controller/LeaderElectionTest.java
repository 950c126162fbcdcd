package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.controller.internal.Lease;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On fabric8's mock; conformance/kubernetes kills leaders on a real cluster. */
@MockCluster
class LeaderElectionTest {
    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private Controller controller(String identity) {
        return Controller.using(client)
                .kind(JobKinds.tfJob())
                .namespaces("test")
                .identity(identity)
                .lease(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofMillis(50))
                .start();
    }

    private void awaitHolder(String identity) {
        Polled.until(
                client.leases().inNamespace("test").withName("edl-controller"),
                lease -> identity.equals(lease.getSpec().getHolderIdentity()));
    }

    @Test
    void a_controller_that_ends_gives_its_lease_to_the_next_at_once() {
        try (Controller first = controller("first")) {
            awaitHolder("first");
            try (Controller second = controller("second")) {
                assertThat(second.leads()).isFalse();
                first.close();
                // Long before the lease would expire.
                awaitHolder("second");
                assertThat(first.leads()).isFalse();
            }
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("edl-controller"));
    }

    @Test
    void a_hanging_renewal_ends_leadership_until_the_server_responds() {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicBoolean away = new AtomicBoolean();
        try (KubernetesClient slow = new KubernetesClientBuilder()
                        .withConfig(client.getConfiguration())
                        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("slow", new Interceptor() {
                            @Override
                            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                                if (away.get() && request.uri().getPath().endsWith("/leases/edl-controller")) {
                                    try {
                                        hangs.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }
                            }
                        }))
                        .build();
                Controller leader = Controller.using(slow)
                        .kind(JobKinds.tfJob())
                        .namespaces("test")
                        .identity("leader")
                        .lease(Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofMillis(50))
                        .start()) {
            awaitHolder("leader");
            Polled.until("it leads", leader::leads);
            away.set(true);
            Polled.until("its time is over", () -> !leader.leads());
            // The lease was not released, so no other controller takes it before it expires.
            awaitHolder("leader");
            away.set(false);
            hangs.countDown();
            Polled.until("it leads again", leader::leads);
        }
    }

    @Test
    void each_missing_permission_on_the_lease_is_logged_once_with_its_remedy() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        AtomicInteger asked = new AtomicInteger();
        Logger logger = Logger.getLogger(Controller.class.getName());
        logger.setFilter(line -> {
            if (line.getMessage().contains("cannot lead")) {
                told.add(line.getMessage());
            }
            return true;
        });
        AtomicReference<String> verb = new AtomicReference<>("get");
        server.expect()
                .get()
                .withPath("/apis/coordination.k8s.io/v1/namespaces/test/leases/edl-controller")
                .andReply(403, request -> {
                    asked.incrementAndGet();
                    return new StatusBuilder()
                            .withCode(403)
                            .withReason("Forbidden")
                            .withMessage("leases.coordination.k8s.io \"edl-controller\" is forbidden: User"
                                    + " \"system:serviceaccount:edl:controller\" cannot " + verb.get()
                                    + " resource \"leases\" in API group \"coordination.k8s.io\" in the namespace"
                                    + " \"test\"")
                            .build();
                })
                .always();
        try (Controller refused = controller("refused")) {
            Polled.until("it is tried again", () -> asked.get() > 3);
            verb.set("create");
            Polled.until("the other right is told", () -> told.size() == 2);

            assertThat(refused.leads()).isFalse();
            assertThat(told)
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("refused cannot lead; retrying: lease edl-controller of namespace" + " test: "))
                    .first()
                    .asString()
                    .endsWith("\n$ kubectl create role edl-controller-leases-get --namespace test --verb=get"
                            + " --resource=leases.coordination.k8s.io && kubectl create rolebinding"
                            + " edl-controller-leases-get --namespace test --role=edl-controller-leases-get"
                            + " --serviceaccount=edl:controller");
        } finally {
            logger.setFilter(null);
        }
    }

    /** Creates a lease of a controller with clock skew. */
    private void held(Duration skew, int seconds) {
        client.leases()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("edl-controller")
                        .withNamespace("test")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("other-clock")
                        .withLeaseDurationSeconds(seconds)
                        .withLeaseTransitions(0)
                        .withAcquireTime(ZonedDateTime.now(ZoneOffset.UTC).plus(skew))
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC).plus(skew))
                        .endSpec()
                        .build())
                .createOr(NonDeletingOperation::update);
    }

    @Test
    void a_leader_whose_clock_is_behind_leads_alone() {
        AtomicInteger looks = new AtomicInteger();
        held(Duration.ofSeconds(-100), 60);
        try (KubernetesClient counted = new KubernetesClientBuilder()
                        .withConfig(client.getConfiguration())
                        .withHttpClientBuilderConsumer(http ->
                                http.addOrReplaceInterceptor("counted", new Interceptor() {
                                    @Override
                                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                                        if (request.uri().getPath().endsWith("/leases/edl-controller")) {
                                            looks.incrementAndGet();
                                        }
                                    }
                                }))
                        .build();
                Controller second = Controller.using(counted)
                        .kind(JobKinds.tfJob())
                        .namespaces("test")
                        .identity("second")
                        .lease(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofMillis(50))
                        .start()) {
            Polled.until("it has looked at the lease often", () -> looks.get() > 5);

            assertThat(second.leads()).isFalse();
            awaitHolder("other-clock");
        }
    }

    @Test
    void a_lease_from_a_fast_clock_expires_by_the_local_clock() {
        held(Duration.ofHours(1), 1);
        try (Controller second = Controller.using(client)
                .kind(JobKinds.tfJob())
                .namespaces("test")
                .identity("second")
                .lease(Duration.ofSeconds(1), Duration.ofMillis(800), Duration.ofMillis(50))
                .start()) {
            Polled.until("it leads", second::leads);
        }
    }

    @Test
    void a_controller_without_kind_or_identity_is_refused() {
        assertThatThrownBy(() -> Controller.using(client).identity("me").start())
                .hasMessage("a controller needs at least one kind of objects; for example .kind(JobKinds.tfJob())");
        assertThatThrownBy(() -> Controller.using(client).kind(JobKinds.tfJob()).start())
                .hasMessage("a controller needs an identity that no other controller has; for example"
                        + " .identity(\"desk-of-anna\")");
        assertThatThrownBy(() -> Controller.using(client)
                        .kind(JobKinds.tfJob())
                        .identity("me")
                        .lease(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1))
                        .start())
                .hasMessage(
                        "a lease's renewal deadline must be more than 2.2 retry periods and less than its duration; for"
                                + " example 2 s, 10 s and 15 s; was PT1S, PT5S and PT5S");
    }

    @Test
    void a_lease_that_could_not_be_stood_for_is_refused() {
        assertThatThrownBy(() -> new Lease(
                        "edl-system", "edl", Duration.ofSeconds(15), Duration.ofSeconds(4), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a lease's renewal deadline must be more than 2.2 retry periods and less than its duration; for"
                                + " example 2 s, 10 s and 15 s; was PT2S, PT4S and PT15S");
    }

    // k8s.io/api v0.36.3, coordination/v1: leaseDurationSeconds is an int32; kubernetes v1.36.3 requires more than 0.
    @ParameterizedTest
    @ValueSource(strings = {"PT0.9S", "PT15.5S", "PT0S", "PT-1S", "PT2147483648S", "PT9223372036854775807S"})
    void a_duration_that_the_lease_s_field_cannot_have_is_refused(Duration duration) {
        assertThatThrownBy(() -> new Lease("edl-system", "edl", duration, duration.dividedBy(2), Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a lease's duration must be whole seconds from 1 to 2147483647, as its field"
                        + " leaseDurationSeconds is, was " + duration + "; for example 15 s");
    }

    @Test
    void the_longest_duration_of_a_lease_is_accepted() {
        Duration longest = Duration.ofSeconds(Integer.MAX_VALUE);

        assertThat(new Lease("edl-system", "edl", longest, Duration.ofSeconds(10), Duration.ofSeconds(2)).duration())
                .isEqualTo(longest);
        assertThatThrownBy(() -> new Lease(
                        "edl-system", "edl", longest, Duration.ofSeconds(10), Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageStartingWith("a lease's renewal deadline must be more than 2.2 retry periods");
    }
}
