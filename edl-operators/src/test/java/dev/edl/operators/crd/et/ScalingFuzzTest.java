package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.env.HorovodHosts;
import dev.edl.reconcile.Action;
import dev.edl.status.ObservedPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests under random faults: workers end and vanish, hosts are not written, pods remain after their deletion. */
class ScalingFuzzTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ScaleTrial start = new ScaleTrial(4);
    private final Map<String, ObservedWorker> pods = new TreeMap<>(start.pods);
    private HorovodHosts hosts = start.hosts;
    private Instant now = ScaleTrial.START;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatever_happens_a_request_ends_and_keeps_its_order(long block) {
        for (long seed = block * 100; seed < block * 100 + 100; seed++) {
            pods.clear();
            pods.putAll(start.pods);
            hosts = start.hosts;
            now = ScaleTrial.START;
            run(new Random(seed), "seed " + seed);
        }
    }

    private void run(Random random, String seed) {
        ScaleRequest request = random.nextBoolean()
                ? ScaleRequest.out(ScaleTrial.JOB, 1 + random.nextInt(4))
                : ScaleRequest.in(ScaleTrial.JOB, 1 + random.nextInt(3));
        Scaler scaler = new Scaler("it", now, request.timeout(TIMEOUT));
        int faults = random.nextInt(10);
        while (!scaler.state().phase().ended()) {
            ObservedScaling observed = new ObservedScaling(List.copyOf(pods.values()), hosts);
            ScaleDecision decision = ScaleDecider.decide(start.plan, scaler, observed, now);
            assertThat(ScaleDecider.decide(start.plan, scaler, observed, now))
                    .as(seed)
                    .isEqualTo(decision);
            check(decision, request, seed + ": " + scaler + " -> " + decision);
            scaler = scaler.with(decision.next());
            decision.hosts().filter(file -> random.nextInt(10) >= faults).ifPresent(file -> hosts = file);
            decision.actions().forEach(action -> apply(action, random, faults));
            now = now.plus(decision.wakeAfter().orElse(Duration.ZERO));
            happen(random, faults);
        }
        boolean failed = scaler.state().phase() == ScalePhase.FAILED;
        assertThat(Duration.between(ScaleTrial.START, now))
                .as(seed)
                .isLessThanOrEqualTo(TIMEOUT.multipliedBy(2).plusSeconds(5));
        assertThat(scaler.state().message()).as(seed).isNotEmpty();
        if (request.change() > 0 && failed) {
            assertThat(hosts.toString()).as(seed).doesNotContain("worker-4", "worker-5", "worker-6", "worker-7");
        } else if (!failed) {
            for (String pod : scaler.state().pods()) {
                assertThat(hosts.hosts().stream().anyMatch(host -> host.name().equals(pod)))
                        .as("%s: %s in %s", seed, pod, hosts)
                        .isEqualTo(request.change() > 0);
            }
        }
    }

    private void check(ScaleDecision decision, ScaleRequest request, String what) {
        for (Action action : decision.actions()) {
            if (action instanceof Action.DeleteReplica delete) {
                assertThat(decision.next().pods()).as(what).contains(delete.replica());
            }
            if (action instanceof Action.DeleteReplica delete && request.change() < 0) {
                ObservedWorker worker = pods.get(delete.replica());
                assertThat(hosts.toString()).as(what).doesNotContain(delete.replica() + ":");
                assertThat(worker != null
                                && (!worker.attached() || worker.phase().ended()))
                        .as(what)
                        .isTrue();
            }
        }
        decision.hosts()
                .ifPresent(file -> file.hosts().stream()
                        .filter(host ->
                                request.change() > 0 && decision.next().pods().contains(host.name()))
                        .forEach(host -> assertThat(decision.next().pods())
                                .as(what)
                                .allMatch(pod ->
                                        pods.containsKey(pod) && pods.get(pod).phase() == ObservedPhase.RUNNING)));
    }

    private void apply(Action action, Random random, int faults) {
        if (action instanceof Action.CreateReplica create) {
            String name = create.replica().name();
            pods.putIfAbsent(name, new ObservedWorker("default", name, ObservedPhase.PENDING, false));
        } else if (random.nextInt(10) >= faults) {
            pods.remove(action.subject());
        }
    }

    private void happen(Random random, int faults) {
        for (ObservedWorker pod : List.copyOf(pods.values())) {
            boolean ends = random.nextInt(200) < faults;
            boolean host = hosts.hosts().stream().anyMatch(one -> one.name().equals(pod.name()));
            if (random.nextInt(200) < faults) {
                pods.remove(pod.name());
            } else if (random.nextInt(10) >= faults || ends) {
                ObservedPhase phase = ends ? ObservedPhase.FAILED : ObservedPhase.RUNNING;
                pods.put(
                        pod.name(),
                        new ObservedWorker("default", pod.name(), pod.phase().ended() ? pod.phase() : phase, host));
            }
        }
    }
}
