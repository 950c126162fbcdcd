package dev.edl.runtime.protocol;

import java.util.ArrayList;
import java.util.List;

/** A machine with a defect: what it hears and what it does passes through here. */
abstract class Planted implements Machine {
    private final Machine machine;
    private final List<Effect> done = new ArrayList<>();

    Planted(Machine machine) {
        this.machine = machine;
    }

    @Override
    public List<Effect> on(Event event, long now) {
        done.clear();
        hears(event, now);
        return List.copyOf(done);
    }

    /** Takes an event; {@link #passes} gives one to the machine. */
    void hears(Event event, long now) {
        passes(event, now);
    }

    /** Takes an effect; {@link #does} lets one have its way. */
    void wants(Effect effect, long now) {
        does(effect);
    }

    final void passes(Event event, long now) {
        for (Effect effect : machine.on(event, now)) {
            wants(effect, now);
        }
    }

    final void passes(Link link, Message message, long now) {
        passes(new Event.Received(link, message), now);
    }

    final void does(Effect effect) {
        done.add(effect);
    }

    @Override
    public long wakeAt() {
        return machine.wakeAt();
    }

    @Override
    public String toString() {
        return machine.toString();
    }
}
