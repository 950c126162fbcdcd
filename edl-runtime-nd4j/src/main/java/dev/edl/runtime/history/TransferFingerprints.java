package dev.edl.runtime.history;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.rows.Fingerprint;
import java.util.List;

/** Fingerprints of gradients and weights in transfer, which sender and receiver compute in the same way. */
final class TransferFingerprints {
    private TransferFingerprints() {}

    static long weights(float[] values, int from, int to) {
        return Fingerprint.of(values, from, to);
    }

    /** Returns the fingerprint of a shard's part of a gradient: its range of the vector, and the rows of its ids. */
    static long gradient(ShardRange range, int shards, float[] gradient, List<EmbeddingRows> tables) {
        long print = Fingerprint.of(gradient, range.offset(), range.end());
        for (EmbeddingRows rows : tables) {
            int dimension = rows.table().dimension();
            for (int i = 0; i < rows.count(); i++) {
                long id = rows.ids()[i];
                if (id % shards == range.index()) {
                    print = Fingerprint.and(print, id);
                    print = Fingerprint.and(
                            print, Fingerprint.of(rows.gradients(), i * dimension, (i + 1) * dimension));
                }
            }
        }
        return print;
    }
}
