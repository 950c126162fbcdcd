package dev.edl.runtime.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process: a machine with a clock, that dies, is stopped and continues. */
final class Node {
    /** The name that peers dial. */
    final String name;
    /** Different for each start. */
    final String id;

    final Map<Link, Connection> links = new HashMap<>();
    private final Life life;
    private final Machine machine;
    private final Deque<Event> inbox = new ArrayDeque<>();
    private long clock;
    private long stoppedUntil;
    private long wakeAt = Machine.NEVER;
    boolean alive = true;

    Node(Life life, String name, String id, Machine machine) {
        this.life = life;
        this.name = name;
        this.id = id;
        this.machine = machine;
        this.clock = (life.dice.nextInt(1_000_000) - 500_000) * Timeline.SECOND - life.time.now();
    }

    /** Returns the time of this process's clock. */
    long clock() {
        return life.time.now() + clock;
    }

    void jump(long nanos) {
        clock += nanos;
        hear(new Event.Tick());
    }

    void stop(long nanos) {
        stoppedUntil = Math.max(stoppedUntil, life.time.now() + nanos);
        life.time.at(stoppedUntil, this::continues);
    }

    boolean isStopped() {
        return life.time.now() < stoppedUntil;
    }

    private void continues() {
        while (alive && !isStopped() && !inbox.isEmpty()) {
            hear(inbox.remove());
        }
        if (alive && !isStopped()) {
            hear(new Event.Tick());
        }
    }

    /** Takes an event, at once or when it continues. */
    void hear(Event event) {
        if (!alive) {
            return;
        }
        if (isStopped()) {
            if (!(event instanceof Event.Tick)) {
                inbox.add(event);
            }
            return;
        }
        life.oracle.before(this, event);
        List<Effect> effects = machine.on(event, clock());
        life.oracle.after(this, event, effects);
        for (Effect effect : effects) {
            if (alive) {
                life.carryOut(this, effect);
            }
        }
        if (event instanceof Event.Tick && alive && machine.wakeAt() <= clock()) {
            life.oracle.breaks(id + " wants to be woken at once, again and again: " + machine);
            return;
        }
        wake();
    }

    private void wake() {
        long at = machine.wakeAt();
        if (!alive || at == Machine.NEVER) {
            return;
        }
        long when = Math.max(life.time.now(), at - clock);
        if (when < wakeAt) {
            wakeAt = when;
            life.time.at(when, () -> {
                if (wakeAt == when) {
                    wakeAt = Machine.NEVER;
                    hear(new Event.Tick());
                }
            });
        }
    }

    @Override
    public String toString() {
        return id + (alive ? "" : " (dead)") + (isStopped() ? " (stopped)" : "") + ": " + machine;
    }
}
