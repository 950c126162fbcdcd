package dev.edl.k8s.lives;

import dev.edl.k8s.internal.record.DrivenJob;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Invariants of every life. They use only the harness's own actions and the server's objects, not the drivers. */
final class Oracle {
    /** Time after which a replaced driver starts no other changing request. */
    private static final long NOTICED = 1_500;

    private static final long FORCED = 60;

    final List<String> broken = new ArrayList<>();
    private final Life life;
    private final Map<String, String> causes = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> succeeded = new HashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Map<String, Long> replaced = new HashMap<>();
    private final Set<String> counted = new HashSet<>();
    private final Map<String, Long> told = new HashMap<>();
    private boolean fatal;
    private boolean leaderDone;
    private int credit;
    private String driver = "";
    private String phase = "";
    boolean cancelled;
    boolean suspended;
    boolean deleted;

    Oracle(Life life) {
        this.life = life;
        life.server.watch(this::saw);
    }

    private void breaks(String what) {
        life.note("BROKEN: " + what);
        broken.add(what);
    }

    /** Returns the driver token in the record. */
    String driver() {
        return driver;
    }

    /** Records that a driver's watch showed a pod: the driver must remember its id. */
    void told(String client, Pod pod) {
        told.putIfAbsent(client + Pods.name(pod), life.time.now());
    }

    /** Records a reason for which a driver may delete the pod. */
    void cause(Pod pod, String why) {
        causes.putIfAbsent(Pods.uid(pod), why);
    }

    /** Records that a user requested fewer workers. */
    void fewer(int workers) {
        credit += workers;
    }

    private static RoleType role(Pod pod) {
        return RoleType.of(pod.getMetadata().getAnnotations().getOrDefault("edl.dev/role", ""));
    }

    /** Returns a key for a replica slot, as far as names identify it: workers get new names. */
    private String lineage(Pod pod) {
        return life.shape.freshIds(role(pod)) ? role(pod).id() : Pods.name(pod);
    }

    private void saw(MemoryServer.Change change) {
        Pod pod = change.pod();
        if (!change.gone() && Kubelet.mainEnded(pod) && !Pods.leaves(pod) && counted.add(Pods.uid(pod))) {
            ended(pod);
        }
    }

    private void ended(Pod pod) {
        // A driver may have decided to delete it before it ended, for example for a suspended job.
        boolean leaves = causes.containsKey(Pods.uid(pod));
        cause(pod, "it has ended");
        boolean disrupted = pod.getStatus().getConditions() != null
                && !pod.getStatus().getConditions().isEmpty();
        int code = pod.getStatus().getContainerStatuses().stream()
                .filter(c -> !c.getName().equals(Kubelet.PROXY))
                .findFirst()
                .orElseThrow()
                .getState()
                .getTerminated()
                .getExitCode();
        if (disrupted || code == 137 || code == 75) {
            return;
        }
        if (code == 0) {
            if (!leaves) {
                succeeded.add(Pods.name(pod));
            }
            leaderDone |= role(pod) == life.shape.plan().leader().type();
        } else {
            fatal |= code == 70;
            failures.merge(lineage(pod), 1, Integer::sum);
        }
    }

    /** Records that a request took effect. */
    void done(Request request, @Nullable Pod before) {
        switch (request.verb()) {
            case CREATE_POD -> created(request);
            case DELETE_POD -> {
                if (before != null) {
                    deleted(request, before);
                }
            }
            case CREATE_RECORD, REPLACE_RECORD, DELETE_RECORD -> record();
            default -> {}
        }
    }

    private void created(Request request) {
        Pod pod = life.server.there(request.name());
        RoleType role = role(pod);
        boolean again = !names.add(request.name());
        // A request of a replaced driver may have been in flight before.
        boolean own = request.client().equals(driver);
        if (own
                && again
                && !life.weather.existed(request.client())
                && life.shape.freshIds(role)
                && told.getOrDefault(request.client() + request.name(), Long.MAX_VALUE)
                        <= life.weather.begun(request.client())) {
            breaks("the id of " + request.name() + " is used twice");
        }
        if (own && again && succeeded.contains(request.name())) {
            breaks(request.name() + " has succeeded and is run again");
        }
        if (!own) {
            cause(pod, "a driver that was replaced has made it");
            late(request);
        }
        if (phase.equals("SUSPENDED")) {
            cause(pod, "the job is suspended");
        }
    }

    private void late(Request request) {
        Long since = replaced.get(request.client());
        if (since == null) {
            return;
        }
        // The answer by which it still was the driver may have been late.
        long known = Math.max(since, life.weather.heard(request.client()));
        long begun = life.weather.begun(request.client());
        if (begun - known > NOTICED) {
            breaks(request + " begun " + (begun - known) + " ms after its driver was replaced");
        }
    }

    private void deleted(Request request, Pod before) {
        Pod now = life.server.now(before);
        boolean forced = now == null && Pods.leaves(before) && !Kubelet.mainEnded(before);
        if (!request.client().equals(driver)) {
            late(request);
        }
        if (forced) {
            Instant end =
                    Instant.parse(before.getMetadata().getDeletionTimestamp()).plusSeconds(FORCED);
            if (life.time.instant().isBefore(end)) {
                breaks(request + " by force, before its grace and a minute are over");
            }
        }
        if (Pods.leaves(before) || causes.containsKey(Pods.uid(before)) || phase.isEmpty() || ended(phase)) {
            return;
        }
        if (role(before) == RoleType.WORKER && credit > 0) {
            credit--;
            cause(before, "fewer workers were asked for");
            return;
        }
        breaks(request + " deletes " + Pods.uid(before) + ", which is " + Pods.phase(before) + " and well");
    }

    private static boolean ended(String phase) {
        return JobPhase.valueOf(phase).ended();
    }

    private void record() {
        ConfigMap record = life.server.maps.get(Life.RECORD);
        if (record == null) {
            phase = "";
            return;
        }
        String by = record.getData().getOrDefault("driver", "");
        if (!by.equals(driver)) {
            replaced.put(driver, life.time.now());
            replaced.remove(by);
            driver = by;
            life.note(by + " drives");
        }
        String now = record.getData().getOrDefault("phase", "");
        if (!now.equals(phase)) {
            phase = now;
            turned();
        }
    }

    /** Records a changed phase in the record. */
    private void turned() {
        life.note("the job is " + phase);
        JobPhase now = JobPhase.valueOf(phase);
        if (now == JobPhase.SUSPENDED) {
            if (!suspended) {
                breaks("the job is suspended, which no user asked for");
            }
            life.server.pods.values().forEach(pod -> cause(pod, "the job is suspended"));
        } else if (now == JobPhase.CANCELLED && !cancelled) {
            breaks("the job is cancelled, which no user asked for");
        } else if (now == JobPhase.FAILED && !mayFail()) {
            breaks("the job has failed, and its replicas' ends do not say so: "
                    + state().map(JobState::message).orElse(""));
        } else if (now == JobPhase.SUCCEEDED && !leaderDone) {
            breaks("the job has succeeded, and its leader has not");
        }
    }

    private boolean mayFail() {
        return fatal
                || failures.entrySet().stream()
                        .anyMatch(e -> e.getValue()
                                > life.shape.plan().roles().stream()
                                        .mapToInt(RolePlan::relaunchLimit)
                                        .min()
                                        .orElse(0));
    }

    private Optional<JobState> state() {
        MemoryApi api = new MemoryApi("oracle", life.server, life.time, Network.CLEAR);
        return DrivenJob.kept(api, life.shape.plan());
    }

    /** Checks a driver after a reconcile pass. */
    void stepped(Driver by) {
        JobState state = by.loop().state();
        if (state.phase() == JobPhase.FAILED && !mayFail()) {
            breaks(by.mark + " reports a failed job, but the ends of its replicas do not justify it: "
                    + state.message());
        }
    }

    /** Checks the end of a life, long after the last fault. */
    void converged() {
        Optional<JobState> kept = state();
        List<Pod> alive = life.server.pods.values().stream()
                .filter(pod -> !Kubelet.mainEnded(pod))
                .toList();
        if (kept.isEmpty()) {
            if (!deleted) {
                breaks("the record is gone, which no user asked for");
            }
            if (!life.server.pods.isEmpty()) {
                breaks("the record is gone, and left " + life.server.pods.keySet());
            }
            return;
        }
        JobState state = kept.get();
        spent(state);
        if (!state.phase().ended()) {
            life.wishes(state);
        }
        if (state.phase().ended() || state.phase() == JobPhase.SUSPENDED) {
            if (!alive.isEmpty()) {
                breaks("the job is " + state.phase() + ", and there run "
                        + alive.stream().map(Pods::name).toList());
            }
            return;
        }
        Set<String> running = new TreeSet<>();
        for (ReplicaState replica : state.replicas().values()) {
            if (replica.stage() == ReplicaStage.RUNNING || replica.stage() == ReplicaStage.PENDING) {
                running.add(replica.name());
            } else if (replica.stage() == ReplicaStage.WAITING) {
                breaks(replica + " is still to be created");
            }
        }
        Set<String> there = new TreeSet<>(alive.stream().map(Pods::name).toList());
        if (!there.equals(running)) {
            breaks("there run " + there + ", and the record has " + running);
        }
        for (Pod pod : alive) {
            if (Pods.leaves(pod) || !Pods.phase(pod).equals("Running")) {
                breaks(Pods.name(pod) + " does not run: " + Pods.phase(pod));
            }
        }
        state.desired().forEach((role, wanted) -> {
            long places = state.replicas().values().stream()
                    .filter(r -> r.role() == role && r.stage().occupiesSlot())
                    .count();
            long live = state.replicas().values().stream()
                    .filter(r -> r.role() == role && r.stage().alive())
                    .count();
            if (places < wanted || (places > wanted && live > 1)) {
                breaks("of role " + role + " there are " + places + ", and " + wanted + " are asked for");
            }
        });
    }

    /** Checks that no fault spends a relaunch: spent relaunches are at most the failures. */
    private void spent(JobState state) {
        Map<String, Integer> spent = new HashMap<>();
        for (ReplicaState replica : state.replicas().values()) {
            if (replica.stage().occupiesSlot()) {
                String key =
                        life.shape.freshIds(replica.role()) ? replica.role().id() : replica.name();
                spent.merge(key, replica.relaunchesUsed(), Integer::sum);
            }
        }
        spent.forEach((key, number) -> {
            if (number > failures.getOrDefault(key, 0)) {
                breaks(key + " has spent " + number + " relaunches, and failed " + failures.getOrDefault(key, 0)
                        + " times");
            }
        });
    }

    void breaksWish(String what) {
        breaks(what);
    }
}
