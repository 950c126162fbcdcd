package dev.edl.k8s.lives;

import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One life of a job, from its seed: a storm of faults and user requests, then a calm in which the job must converge.
 */
final class Life {
    static final String RECORD = "edl-job-mnist";
    /** Longer than the longest backoff of a request. */
    private static final long QUIET = 4 * 60_000L;

    private static final long SLICE = 60_000;
    static final int LEAST_FAULTS = 5;
    private static final long CALM = 60 * 60_000L;

    final Timeline time = new Timeline();
    final Shape shape;
    final Random dice;
    final MemoryServer server = new MemoryServer(time);
    final Weather weather;
    final Oracle oracle;
    private final Kubelet kubelet;
    private final List<String> trace = new ArrayList<>();
    final Defect defect;
    private final boolean traced;
    private final Map<String, Driver> drivers = new LinkedHashMap<>();
    private Driver current;
    private @Nullable Driver scaledBy;
    private @Nullable Driver suspendedBy;
    private int workers;
    private boolean suspended;
    private boolean attaching;

    private Life(long seed, Defect defect, boolean traced) {
        this.defect = defect;
        this.traced = traced;
        this.dice = new Random(seed * 0x9E3779B97F4A7C15L);
        this.shape = Shape.ALL.get(dice.nextInt(Shape.ALL.size()));
        this.weather = new Weather(this, dice);
        this.oracle = new Oracle(this);
        this.kubelet = new Kubelet(this, dice);
        this.workers = shape.plan().roles().stream()
                .filter(role -> role.type() == RoleType.WORKER)
                .findFirst()
                .orElseThrow()
                .replicas();
        if (dice.nextInt(4) == 0) {
            server.webhook = pod -> {
                Container proxy = new Container();
                proxy.setName(Kubelet.PROXY);
                pod.setSpec(Pods.injected(pod.getSpec(), proxy));
                return pod;
            };
        }
        this.current = driver();
    }

    /** Runs a life. */
    static Life of(long seed, boolean traced) {
        return of(seed, Defect.NONE, traced);
    }

    /** Runs a life of EDL with a reintroduced defect. */
    static Life of(long seed, Defect defect, boolean traced) {
        Life life = new Life(seed, defect, traced);
        life.live();
        return life;
    }

    void note(String what) {
        if (traced) {
            trace.add(String.format("%8.3f s  %s", time.now() / 1e3, what));
        }
    }

    List<String> trace() {
        return trace;
    }

    Driver driver(String mark) {
        Driver found = drivers.get(mark);
        if (found == null) {
            throw new IllegalStateException("no driver " + mark);
        }
        return found;
    }

    private Driver driver() {
        Driver driver = new Driver(this, "driver-" + (drivers.size() + 1));
        drivers.put(driver.mark, driver);
        return driver;
    }

    private void live() {
        current.begin(false);
        if (dice.nextBoolean()) {
            time.pass(20_000);
        }
        weather.storm = true;
        int length = 30_000 + dice.nextInt(400_000);
        int acts = 5 + dice.nextInt(14);
        for (int i = 0; i < acts; i++) {
            time.in(dice.nextInt(length), this::act);
        }
        time.pass(length);
        while (weather.strikes() < LEAST_FAULTS) {
            mishap();
            time.pass(1 + dice.nextInt(30_000));
        }
        time.pass(Math.max(0, weather.refusalEnd - time.now()));
        note("the storm is over");
        weather.storm = false;
        weather.outageEnd = 0;
        kubelet.silent.clear();
        lost();
        for (long quiet = 0, last = -1, past = 0; quiet < QUIET && past < CALM; past += SLICE) {
            time.pass(SLICE);
            quiet = server.version() == last ? quiet + SLICE : 0;
            last = server.version();
        }
        oracle.converged();
    }

    private void act() {
        switch (dice.nextInt(19)) {
            case 0, 1, 2 -> wish("scale", () -> scale(2 + dice.nextInt(Shape.MOST - 1)));
            case 3 -> wish("delete a replica", this::delete);
            case 4 ->
                wish("suspend", () -> {
                    oracle.suspended = true;
                    suspended = true;
                    suspendedBy = current;
                    current.loop().suspend();
                });
            case 5 ->
                wish("resume", () -> {
                    current.loop().resume();
                    suspended = false;
                    suspendedBy = current;
                });
            case 6 ->
                rarely(
                        4,
                        () -> wish("cancel", () -> {
                            oracle.cancelled = true;
                            current.loop().cancel();
                        }));
            case 7 -> rarely(8, this::drop);
            case 8 -> edit();
            case 9 -> some().ifPresent(this::deleteByHand);
            case 10, 11 -> some().ifPresent(this::fail);
            case 12 ->
                some().ifPresent(pod -> {
                    weather.strike(Fault.REPLICA_EVICTED, Pods.name(pod));
                    kubelet.evict(pod);
                });
            case 13 -> silence();
            case 14 -> attached();
            case 15 -> current.crashIn = dice.nextInt(6);
            case 16 -> current.replacedIn = dice.nextInt(6);
            case 17 -> weather.refuse();
            default -> rarely(2, this::disturb);
        }
    }

    /** Injects a fault into the current objects. */
    private void mishap() {
        switch (dice.nextInt(3)) {
            case 0 -> attached();
            case 1 -> silence();
            default -> weather.refuse();
        }
    }

    private void silence() {
        weather.strike(Fault.NODE_SILENT, "");
        kubelet.silence(5_000 + dice.nextInt(120_000));
    }

    private void attached() {
        weather.strike(Fault.TAKE_OVER, "");
        attach();
    }

    private void rarely(int of, Runnable what) {
        if (dice.nextInt(of) == 0) {
            what.run();
        }
    }

    private void disturb() {
        if (dice.nextBoolean()) {
            weather.outageEnd = time.now() + 60_000 + dice.nextInt(540_000);
            weather.strike(Fault.OUTAGE, "until " + weather.outageEnd);
        }
        for (MemoryWatch watch : List.copyOf(current.api.watches)) {
            weather.strike(Fault.WATCH_ENDS, current.mark);
            watch.interrupt(100 + dice.nextInt(5_000));
        }
    }

    private void wish(String what, Runnable wish) {
        if (current.drives()
                && !current.loop().lost()
                && !current.loop().state().phase().ended()) {
            note("a user: " + what);
            wish.run();
            current.wake();
        }
    }

    private void scale(int to) {
        note("a user: " + to + " workers");
        oracle.fewer(Math.max(0, workers - to));
        workers = to;
        scaledBy = current;
        current.loop().scale("worker", to);
    }

    private void delete() {
        some().ifPresent(pod -> {
            oracle.cause(pod, "a user asked to delete it");
            try {
                current.loop().delete(Pods.name(pod));
            } catch (IllegalArgumentException e) {
                note("the driver does not know " + Pods.name(pod));
            }
        });
    }

    private void drop() {
        ConfigMap record = server.maps.get(RECORD);
        if (record != null) {
            note("a user: deletes the record");
            oracle.deleted = true;
            server.drop(record);
        }
    }

    private void edit() {
        ConfigMap record = server.maps.get(RECORD);
        if (record != null) {
            weather.strike(Fault.OBJECT_EDITED, "");
            server.label(record, "team", "a" + dice.nextInt(9));
        }
        some().ifPresent(pod -> server.label(pod, "team", "a" + dice.nextInt(9)));
    }

    private Optional<Pod> some() {
        List<Pod> running = kubelet.running();
        return running.isEmpty() ? Optional.empty() : Optional.of(running.get(dice.nextInt(running.size())));
    }

    private void deleteByHand(Pod pod) {
        weather.strike(Fault.POD_DELETED_BY_HAND, Pods.name(pod));
        oracle.cause(pod, "deleted by hand");
        server.delete(Pods.name(pod), Optional.empty(), OptionalLong.empty());
    }

    private void fail(Pod pod) {
        int code = new int[] {0, 1, 1, 75, 137, 137, 143, 70}[dice.nextInt(8)];
        if ((code == 0 || code == 70) && dice.nextInt(4) > 0) {
            code = 137;
        }
        weather.strike(Fault.REPLICA_FAILS, Pods.name(pod) + " with " + code);
        kubelet.exit(pod, code, code == 0 ? "Completed" : "Error");
    }

    /** Lets another driver take over the job; it retries failed requests. */
    void attach() {
        Driver next = driver();
        try {
            if (next.begin(true)) {
                current = next;
            }
        } catch (KubernetesClientException e) {
            note(next.mark + " cannot attach: " + e.getMessage());
            next.end();
            lost();
        } catch (Crash e) {
            lost();
        }
    }

    private boolean driven() {
        Driver driver = drivers.get(oracle.driver());
        return driver != null && driver.drives();
    }

    /** If no driver is left, attaches one a little later. */
    void lost() {
        if (!attaching && !driven()) {
            attaching = true;
            time.in(500 + dice.nextInt(30_000), () -> {
                attaching = false;
                if (server.maps.containsKey(RECORD) && !driven()) {
                    attach();
                }
            });
        }
    }

    /** Checks that the requests to the last driver were fulfilled. */
    void wishes(JobState state) {
        if (!current.drives()) {
            return;
        }
        if (scaledBy == current && state.desired().getOrDefault(RoleType.WORKER, 0) != workers) {
            oracle.breaksWish(workers + " workers were asked for, and the record has " + state.desired());
        }
        if (suspendedBy == current && suspended != (state.phase() == JobPhase.SUSPENDED)) {
            oracle.breaksWish("suspended was asked to be " + suspended + ", and the job is " + state.phase());
        }
    }
}
