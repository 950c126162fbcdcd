package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Masters with a defect each. */
final class PlantedMaster extends Planted {
    private final Defect defect;
    private final Life life;
    private final List<BitSet> anywhere = new ArrayList<>();

    PlantedMaster(Defect defect, Machine machine, Life life) {
        super(machine);
        this.defect = defect;
        this.life = life;
    }

    @Override
    void hears(Event event, long now) {
        if (!(event instanceof Event.Received received)) {
            passes(event, now);
        } else if (defect == Defect.LEASE_NOT_EXTENDED && received.message() instanceof WorkerToMaster.Beat) {
            passes(received.link(), new WorkerToMaster.Beat(null), now);
        } else if (received.message() instanceof ShardToMaster.Ordered ordered) {
            passes(received.link(), changed(ordered), now);
        } else {
            passes(event, now);
        }
    }

    private ShardToMaster.Ordered changed(ShardToMaster.Ordered ordered) {
        List<BitSet> applied = ordered.applied();
        if (defect == Defect.REBUILT_FROM_ANY_SHARD) {
            while (anywhere.size() < applied.size()) {
                anywhere.add(new BitSet());
            }
            for (int i = 0; i < applied.size(); i++) {
                anywhere.get(i).or(applied.get(i));
            }
            applied =
                    anywhere.stream().map(BitSet::clone).map(BitSet.class::cast).toList();
        } else if (defect == Defect.LOST_WORK_NOT_REOPENED) {
            BitSet all = new BitSet();
            all.set(0, life.spec.pushIds().minibatchesPerEpoch());
            boolean some = applied.stream().anyMatch(epoch -> !epoch.isEmpty());
            applied = some ? applied.stream().map(epoch -> all).toList() : applied;
        }
        return new ShardToMaster.Ordered(ordered.life(), applied, ordered.pending());
    }

    @Override
    void wants(Effect effect, long now) {
        if (effect instanceof Effect.Send send) {
            sends(send, now);
        } else if (effect instanceof Effect.Commit commit && defect == Defect.EVERY_CUT_EXACT) {
            does(new Effect.Commit(commit.cut(), true, commit.last()));
        } else {
            does(effect);
        }
    }

    private void sends(Effect.Send send, long now) {
        Link link = send.link();
        if (defect == Defect.ONE_SHARD_CONFIRMS
                && send.message() instanceof MasterToShard.Confirm asked
                && !link.peer().equals("ps-0")) {
            passes(link, new ShardToMaster.Confirmed(asked.life(), asked.request(), asked.count()), now);
        } else if (defect == Defect.CUT_WITHOUT_FLUSH && send.message() instanceof MasterToShard.Flush flush) {
            ShardLife of = life.oracle.lifeOf(link.peer());
            passes(link, new ShardToMaster.Flushed(of, flush.cut()), now);
        } else if (defect == Defect.LEASE_KEPT_AND_GIVEN && send.message() instanceof MasterToWorker.Welcome) {
            does(new Effect.Send(link, new MasterToWorker.Welcome(true)));
        } else if (defect == Defect.LIFE_GIVEN_TWICE
                && send.message() instanceof MasterToShard.Order order
                && !life.oracle.isKnown(order.life())) {
            ShardLife one = new ShardLife("run", 1, 0);
            does(new Effect.Send(link, new MasterToShard.Order(order.term(), one, order.restore())));
        } else {
            does(send);
        }
    }
}
