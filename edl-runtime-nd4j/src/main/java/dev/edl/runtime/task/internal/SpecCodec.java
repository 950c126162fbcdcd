package dev.edl.runtime.task.internal;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.internal.text.CountText;
import dev.edl.runtime.task.LedgerSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Binary codec of a spec in a journal's header, and a description of the differences of two specs. */
public final class SpecCodec {
    private static final int SHOWN = 5;

    private SpecCodec() {}

    public static byte[] encode(LedgerSpec spec) {
        Encoder out = new Encoder();
        shards(out, spec.trainingShards());
        shards(out, spec.evaluationShards());
        out.unsigned(spec.minibatchSize())
                .unsigned(spec.minibatchesPerTask())
                .unsigned(spec.epochs())
                .signed(spec.seed())
                .unsigned(spec.shuffle() ? 1 : 0)
                .duration(spec.leaseTimeout())
                .unsigned(spec.maxTaskFailures());
        if (spec.maxMinibatches() > 0 || spec.predicts()) {
            // Written only if one of them is set.
            out.unsigned(spec.maxMinibatches()).unsigned(spec.predicts() ? 1 : 0);
        }
        return out.toBytes();
    }

    private static void shards(Encoder out, List<DataShard> shards) {
        out.unsigned(shards.size());
        shards.forEach(shard -> out.text(shard.name()).unsigned(shard.records()));
    }

    public static LedgerSpec decode(ByteBuffer bytes) {
        Decoder in = new Decoder(bytes);
        return new LedgerSpec(
                shards(in),
                shards(in),
                in.count(),
                in.count(),
                in.count(),
                in.signed(),
                in.unsigned() == 1,
                in.duration(),
                in.count(),
                in.remaining() == 0 ? 0 : in.unsigned(),
                in.remaining() > 0 && in.unsigned() == 1);
    }

    private static List<DataShard> shards(Decoder in) {
        List<DataShard> shards = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            shards.add(new DataShard(in.text(), in.unsigned()));
        }
        return shards;
    }

    /**
     * Returns the differences of two specs as text for people, for example {@code minibatchSize is 64 there, 32 here;
     * epochs is 5 there, 30 here}.
     */
    public static String differences(LedgerSpec there, LedgerSpec here) {
        List<String> parts = new ArrayList<>();
        add(parts, "minibatchSize", there.minibatchSize(), here.minibatchSize());
        add(parts, "minibatchesPerTask", there.minibatchesPerTask(), here.minibatchesPerTask());
        add(parts, "epochs", there.epochs(), here.epochs());
        add(parts, "seed", there.seed(), here.seed());
        add(parts, "shuffle", there.shuffle(), here.shuffle());
        add(parts, "leaseTimeout", there.leaseTimeout(), here.leaseTimeout());
        add(parts, "maxTaskFailures", there.maxTaskFailures(), here.maxTaskFailures());
        add(parts, "maxMinibatches", there.maxMinibatches(), here.maxMinibatches());
        add(parts, "predicts", there.predicts(), here.predicts());
        add(parts, "trainingShards", there.trainingShards(), here.trainingShards());
        add(parts, "evaluationShards", there.evaluationShards(), here.evaluationShards());
        int more = parts.size() - SHOWN;
        return String.join("; ", parts.subList(0, Math.min(SHOWN, parts.size())))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    private static void add(List<String> parts, String name, Object there, Object here) {
        if (!there.equals(here)) {
            parts.add(name + " is " + there + " there, " + here + " here");
        }
    }

    private static void add(List<String> parts, String name, List<DataShard> there, List<DataShard> here) {
        if (there.size() != here.size()) {
            parts.add(name + " has " + CountText.count(there.size(), "shard") + " there, " + here.size() + " here");
        }
        for (int s = 0; s < Math.min(there.size(), here.size()); s++) {
            if (!Objects.equals(there.get(s), here.get(s))) {
                parts.add(name + "[" + s + "] is " + words(there.get(s)) + " there, " + words(here.get(s)) + " here");
            }
        }
    }

    private static String words(DataShard shard) {
        return shard.name() + " with " + CountText.count(shard.records(), "record");
    }
}
