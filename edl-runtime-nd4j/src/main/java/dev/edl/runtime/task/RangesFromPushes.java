package dev.edl.runtime.task;

import dev.edl.runtime.task.LedgerEvent.Reinstated;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** Derives which ranges are complete, begun, or wrongly left out from the pushes that parameter shards hold. */
final class RangesFromPushes {
    private final LedgerState state;

    RangesFromPushes(LedgerState state) {
        this.state = state;
    }

    /**
     * Returns whether all minibatches of a range are applied.
     *
     * @param applied whether the minibatch with an ordinal, see {@link PushIds}, is applied
     */
    boolean allApplied(int epoch, int range, IntPredicate applied) {
        int first = state.trainingRanges.firstMinibatch(range);
        for (int k = state.plan.minibatches(epoch, range) - 1; k >= 0; k--) {
            if (!applied.test(first + k)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the initial state of a ledger without history; see {@link TaskLedger#resume}. */
    Resumed resumed(IntFunction<BitSet> applied, IntFunction<BitSet> held) {
        int last = state.plan.epochs() - 1;
        while (last >= 0 && held.apply(last).isEmpty()) {
            last--;
        }
        List<ResumedEpoch> epochs = new ArrayList<>();
        for (int epoch = 0; epoch <= last; epoch++) {
            BitSet whole = applied.apply(epoch);
            BitSet some = held.apply(epoch);
            List<RecordRange> completed = new ArrayList<>();
            List<RecordRange> begun = new ArrayList<>();
            for (int range : state.plan.sortedRanges(epoch)) {
                int first = state.trainingRanges.firstMinibatch(range);
                int behind = first + state.plan.minibatches(epoch, range);
                if (whole.nextClearBit(first) >= behind) {
                    RecordRange.addJoined(completed, state.plan.range(epoch, range));
                } else if (some.nextSetBit(first) >= 0 && some.nextSetBit(first) < behind) {
                    RecordRange.addJoined(begun, state.plan.range(epoch, range));
                }
                some.clear(first, behind);
            }
            if (!some.isEmpty()) {
                throw new IllegalStateException("the parameter shards hold minibatch " + some.nextSetBit(0)
                        + " of epoch " + (epoch + 1) + ", which is not to be trained; maxMinibatches is "
                        + state.spec.maxMinibatches());
            }
            epochs.add(new ResumedEpoch(completed, begun));
        }
        return new Resumed(epochs);
    }

    /** Returns, for each epoch, the ranges that an early stop left out although a shard holds part of their pushes. */
    List<Reinstated> leftOut(IntFunction<BitSet> held) {
        List<Reinstated> wrong = new ArrayList<>();
        for (int epoch = 0; epoch < state.plan.epochs(); epoch++) {
            BitSet some = held.apply(epoch);
            if (some.isEmpty()) {
                continue;
            }
            List<RecordRange> ranges = new ArrayList<>();
            for (int range : state.plan.sortedRanges(epoch)) {
                int first = state.trainingRanges.firstMinibatch(range);
                int pushed = some.nextSetBit(first);
                if (state.isLeftOut(epoch, range)
                        && pushed >= 0
                        && pushed < first + state.plan.minibatches(epoch, range)) {
                    RecordRange.addJoined(ranges, state.plan.range(epoch, range));
                }
            }
            if (!ranges.isEmpty()) {
                wrong.add(new Reinstated(epoch, ranges));
            }
        }
        return wrong;
    }
}
