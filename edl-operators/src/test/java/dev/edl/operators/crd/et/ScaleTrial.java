package dev.edl.operators.crd.et;

import dev.edl.Job;
import dev.edl.env.HorovodHosts;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.Action;
import dev.edl.status.ObservedPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Job of the operator's README on a substrate where each action takes effect at once, except that a worker keeps its
 * process until the test ends it. {@link #log} has the actions in order; names are short: {@code w1}.
 */
final class ScaleTrial {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final String JOB = "elastic-training";

    final JobPlan plan;
    final Map<String, ObservedWorker> pods = new LinkedHashMap<>();
    final List<String> log = new ArrayList<>();
    HorovodHosts hosts = new HorovodHosts(List.of());
    boolean writable = true;
    Scaler scaler = new Scaler("none", START, ScaleRequest.in(JOB, 1));
    Instant now = START;
    Duration wake = Duration.ZERO;

    /** Running workers, each with a process and a slot. */
    ScaleTrial(int workers) {
        this(workers, 1, 9);
    }

    ScaleTrial(int workers, int min, int max) {
        plan = Job.named(JOB)
                .horovod()
                .image("i")
                .launcher()
                .workers(workers)
                .elastic(min, max)
                .gpu(1)
                .build()
                .plan(Profile.ET_V1ALPHA1);
        hosts = HorovodHosts.of(plan);
        for (int index = 0; index < workers; index++) {
            worker("w" + index, ObservedPhase.RUNNING, true);
        }
    }

    static String name(String worker) {
        return JOB + "-worker-" + worker.substring(1);
    }

    private static String shorten(Object text) {
        return text.toString().replace(JOB + "-worker-", "w");
    }

    ScaleTrial worker(String worker, ObservedPhase phase, boolean attached) {
        pods.put(name(worker), new ObservedWorker("default", name(worker), phase, attached));
        return this;
    }

    /** Makes all existing workers run. */
    ScaleTrial run() {
        pods.replaceAll((name, pod) -> new ObservedWorker("default", name, ObservedPhase.RUNNING, pod.attached()));
        return this;
    }

    ScaleTrial asks(ScaleRequest request) {
        scaler = new Scaler("it", START, request);
        return this;
    }

    ScaleTrial after(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** Decides once, and applies the decision. */
    ScaleTrial decide() {
        List<ObservedWorker> seen = List.copyOf(pods.values());
        ScaleDecision decision = ScaleDecider.decide(plan, scaler, new ObservedScaling(seen, hosts), now);
        scaler = scaler.with(decision.next());
        wake = decision.wakeAfter().orElse(Duration.ZERO);
        decision.hosts().filter(file -> writable).ifPresent(file -> {
            hosts = file;
            log.add("hosts " + shorten(file));
        });
        for (Action action : decision.actions()) {
            if (action instanceof Action.CreateReplica create) {
                pods.computeIfAbsent(
                        create.replica().name(),
                        name -> new ObservedWorker("default", name, ObservedPhase.PENDING, false));
            } else if (action instanceof Action.DeleteReplica delete) {
                pods.remove(delete.replica());
            }
            log.add(shorten(action).replaceAll(":.*", ""));
        }
        return this;
    }

    /** Decides until the request has ended, at most this often. */
    ScaleTrial end() {
        for (int turn = 0; turn < 200 && !scaler.state().phase().ended(); turn++) {
            decide().after(wake);
        }
        return this;
    }

    String state() {
        return shorten(scaler.state());
    }

    String hosts() {
        return shorten(hosts);
    }

    List<String> there() {
        return pods.keySet().stream().map(ScaleTrial::shorten).toList();
    }
}
