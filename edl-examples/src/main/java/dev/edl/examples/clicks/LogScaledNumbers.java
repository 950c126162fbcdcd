package dev.edl.examples.clicks;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;

/**
 * Dataset whose features are the logarithms of another dataset's: a count x becomes log(1 + x), or -log(1 - x) if
 * negative. This is the usual transformation of Criteo's counts, which reach ten thousands.
 *
 * @param counts dataset with the untransformed counts
 */
record LogScaledNumbers(Dataset counts) implements Dataset {
    @Override
    public List<DataShard> shards() {
        return counts.shards();
    }

    @Override
    public int features() {
        return counts.features();
    }

    @Override
    public int labels() {
        return counts.labels();
    }

    @Override
    public int ids() {
        return counts.ids();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        int before = into.size();
        counts.read(shard, start, end, into);
        for (int i = before * features(); i < into.size() * features(); i++) {
            float x = into.features()[i];
            into.features()[i] = (float) (Math.signum(x) * Math.log1p(Math.abs(x)));
        }
    }
}
