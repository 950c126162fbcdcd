package dev.edl.k8s.lives;

import dev.edl.exec.ControlLoop;
import dev.edl.k8s.internal.record.DrivenJob;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Program that drives the job, or did. */
final class Driver {
    final String mark;
    final MemoryApi api;
    private final OldWays ways;
    private final Life life;
    private @Nullable DrivenJob job;
    private boolean dead;
    private boolean busy;
    private long due = Long.MAX_VALUE;

    /** Number of requests until the process ends; negative if no request ends it. */
    int crashIn = -1;

    /** Number of requests until another driver takes over. */
    int replacedIn = -1;

    Driver(Life life, String mark) {
        this.life = life;
        this.mark = mark;
        this.api = new MemoryApi(
                mark, life.server, life.time, life.weather, life.defect == Defect.STALE_LIST ? life.dice : null);
        this.ways = new OldWays(life.defect, api);
    }

    /** Starts to drive; throws what the first requests throw. */
    boolean begin(boolean attach) {
        busy = true;
        try {
            Optional<DrivenJob> begun = attach
                    ? DrivenJob.attach(
                            ways, life.shape.plan(), life.shape.templates(), mark, life.time, ways.reconciler())
                    : Optional.of(DrivenJob.start(
                            ways, life.shape.plan(), life.shape.templates(), mark, life.time, ways.reconciler()));
            begun.ifPresent(it -> {
                job = it;
                it.onChange(this::wake);
            });
            return begun.isPresent();
        } finally {
            busy = false;
            wake();
        }
    }

    void wake() {
        plan(1 + life.dice.nextInt(3));
    }

    private void plan(long millis) {
        long at = life.time.now() + millis;
        if (at < due && !dead) {
            due = at;
            life.time.in(millis, () -> {
                if (due == at) {
                    due = Long.MAX_VALUE;
                    step();
                }
            });
        }
    }

    private void step() {
        DrivenJob it = job;
        if (dead || it == null) {
            return;
        }
        if (busy) {
            plan(10);
            return;
        }
        busy = true;
        Optional<Duration> next;
        try {
            next = it.loop().step();
        } catch (Crash e) {
            life.lost();
            return;
        } finally {
            busy = false;
        }
        life.oracle.stepped(this);
        if (it.loop().lost()) {
            life.note(mark + " is lost: "
                    + it.loop().events().get(it.loop().events().size() - 1));
            end();
            life.lost();
        } else {
            next.ifPresent(wait -> plan(Math.max(wait.toMillis() + 1, 1)));
        }
    }

    /** Throws if the process has ended. */
    void check() {
        if (dead) {
            throw new Crash();
        }
    }

    boolean drives() {
        return job != null && !dead;
    }

    ControlLoop loop() {
        return java.util.Objects.requireNonNull(job).loop();
    }

    /** Ends the process. */
    void end() {
        dead = true;
        api.watches.forEach(MemoryWatch::close);
    }
}
