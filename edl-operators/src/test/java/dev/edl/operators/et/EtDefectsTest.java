package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.env.HorovodHosts;
import dev.edl.k8s.render.SshKeys;
import dev.edl.operators.crd.et.ObservedWorker;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** et-operator's runtime defects a to r (reference), by letter; {@code ScaleDecider}'s tests cover the others. */
class EtDefectsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobPlan PLAN = Job.named("mnist")
            .horovod()
            .image("horovod:1")
            .launcher()
            .workers(2)
            .elastic(1, 9)
            .build()
            .plan(Profile.ET_V1ALPHA1);

    private final List<String> kept = new ArrayList<>();
    private JobState state = JobState.initial(PLAN).withPinnedIds(RoleType.WORKER, List.of(0, 1));

    private static Pod worker(int index, String phase, String ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("mnist-worker-" + index)
                .endMetadata()
                .withNewStatus()
                .withPhase(phase)
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build();
    }

    private List<ObservedWorker> seen(Pod... pods) {
        return DesiredWorkers.seen(PLAN, state, List.of(pods), Set.of());
    }

    private TargetSizeScalingRequests scalers() {
        return new TargetSizeScalingRequests(
                PLAN,
                () -> state,
                new KubernetesSerialization(),
                () -> kept.isEmpty() ? Optional.empty() : Optional.of(kept.get(kept.size() - 1)),
                kept::add);
    }

    @Test
    void h_what_was_begun_is_gone_on_with_by_another_program() {
        TargetSizeScalingRequests first = scalers();
        first.want(4, Duration.ofSeconds(30));
        Scaler begun = first.next(NOW).orElseThrow();
        ScaleState scaling =
                new ScaleState(ScalePhase.SCALING, Optional.of(NOW), List.of("mnist-worker-2", "mnist-worker-3"), "");
        first.keep(begun.with(scaling));

        assertThat(scalers().next(NOW.plusSeconds(9))).contains(begun.with(scaling));
    }

    @Test
    void g_requests_are_worked_on_one_after_the_other_and_the_latest_number_counts() {
        TargetSizeScalingRequests scalers = scalers();
        scalers.want(4, Duration.ofSeconds(30));
        Scaler begun = scalers.next(NOW).orElseThrow();
        scalers.want(1, Duration.ofSeconds(30));
        assertThat(scalers.next(NOW)).contains(begun);

        state = state.withPinnedIds(RoleType.WORKER, List.of(0, 1, 2, 3));
        scalers.keep(begun.with(new ScaleState(ScalePhase.SUCCEEDED, Optional.of(NOW), List.of(), "")));
        assertThat(scalers.next(NOW).orElseThrow().request().change()).isEqualTo(-3);
    }

    @Test
    void a_failed_request_is_not_repeated() {
        TargetSizeScalingRequests scalers = scalers();
        scalers.want(4, Duration.ofSeconds(30));
        Scaler begun = scalers.next(NOW).orElseThrow();
        scalers.keep(begun.with(new ScaleState(ScalePhase.FAILED, Optional.of(NOW), List.of(), "execution timeout")));

        assertThat(scalers.next(NOW)).isEmpty();
        assertThat(scalers().next(NOW)).isEmpty();
    }

    @Test
    void i_a_worker_that_runs_and_is_not_ready_is_no_host() {
        assertThat(seen(worker(0, "Running", "True"), worker(1, "Running", "False")))
                .containsExactly(
                        new ObservedWorker("default", "mnist-worker-0", ObservedPhase.RUNNING, false),
                        new ObservedWorker("default", "mnist-worker-1", ObservedPhase.PENDING, false));
    }

    @Test
    void k_a_worker_that_is_lost_is_no_host_while_others_are_scaled() {
        HorovodHosts hosts = HorovodHosts.parse("mnist-worker-0:4,mnist-worker-1:4");

        assertThat(DesiredWorkers.alive(seen(worker(0, "Running", "True"), worker(1, "Failed", "False")), hosts))
                .hasToString("mnist-worker-0:4");
        assertThat(DesiredWorkers.alive(seen(worker(0, "Running", "True")), hosts))
                .hasToString("mnist-worker-0:4");
    }

    @Test
    void k_a_worker_that_is_back_is_a_host_again_with_the_slots_of_the_others() {
        List<ObservedWorker> workers = seen(worker(1, "Running", "True"), worker(0, "Running", "True"));

        assertThat(DesiredWorkers.settled(PLAN, workers, HorovodHosts.parse("mnist-worker-0:4")))
                .hasToString("mnist-worker-0:4,mnist-worker-1:4");
    }

    @Test
    void m_each_job_has_a_key_of_its_own_on_p256() throws Exception {
        SshKeys keys = SshKeyGenerator.generate();

        String pem = keys.privateKey().replaceAll("-----[A-Z ]+-----|\n", "");
        KeyFactory factory = KeyFactory.getInstance("EC");
        ECPrivateKey secret = (ECPrivateKey) factory.generatePrivate(
                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        assertThat(secret.getParams().getOrder().bitLength()).isEqualTo(256);
        String[] words = keys.publicKey().strip().split(" ", -1);
        ByteBuffer line = ByteBuffer.wrap(Base64.getDecoder().decode(words[1]));
        assertThat(words[0])
                .isEqualTo("ecdsa-sha2-nistp256")
                .isEqualTo(new String(field(line), StandardCharsets.US_ASCII));
        assertThat(new String(field(line), StandardCharsets.US_ASCII)).isEqualTo("nistp256");
        ByteBuffer point = ByteBuffer.wrap(field(line));
        assertThat(line.hasRemaining()).isFalse();
        assertThat(point.get()).as("uncompressed").isEqualTo((byte) 4);
        PublicKey shown = factory.generatePublic(
                new ECPublicKeySpec(new ECPoint(coordinate(point), coordinate(point)), secret.getParams()));
        assertThat(point.hasRemaining()).isFalse();
        byte[] text = "launcher".getBytes(StandardCharsets.UTF_8);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(secret);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(text);
        assertThat(signature.verify(signed)).as("the keys are a pair").isTrue();
        assertThat(SshKeyGenerator.generate().publicKey()).isNotEqualTo(keys.publicKey());
    }

    private static BigInteger coordinate(ByteBuffer point) {
        byte[] bytes = new byte[32];
        point.get(bytes);
        return new BigInteger(1, bytes);
    }

    private static byte[] field(ByteBuffer line) {
        byte[] field = new byte[line.getInt()];
        line.get(field);
        return field;
    }
}
