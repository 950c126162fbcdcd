package dev.edl.runtime.protocol;

import java.util.HashSet;
import java.util.Set;

/** Workers with a defect each. */
final class PlantedWorker extends Planted {
    private final Defect defect;
    private final Life life;
    private final Set<String> sent = new HashSet<>();

    PlantedWorker(Defect defect, Machine machine, Life life) {
        super(machine);
        this.defect = defect;
        this.life = life;
    }

    @Override
    void wants(Effect effect, long now) {
        if (!(effect instanceof Effect.Send send)) {
            does(effect);
        } else if (defect == Defect.IDLE_NOT_SENT && send.message() instanceof WorkerToShard.Idle) {
            // The shard waits for this worker, which waits for another shard.
            return;
        } else if (defect == Defect.REPEATED_UNDER_ANOTHER_ID
                && send.message() instanceof WorkerToShard.Push push
                && !sent.add(send.link().peer() + push.request())) {
            long all = (long) life.spec.epochs() * life.spec.pushIds().minibatchesPerEpoch();
            does(new Effect.Send(
                    send.link(),
                    new WorkerToShard.Push(
                            push.life(), push.request(), (push.pushId() + 1) % all, push.version(), push.gradient())));
        } else {
            does(effect);
        }
    }
}
