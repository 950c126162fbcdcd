package dev.edl.runtime.task.journal;

import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.task.LedgerSpec;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecCodecTest {
    // By hand: 2 shards, "a" of 10 and "b" of 3; 1 shard, "test" of 6; minibatches of 2, 2 a task; 1 epoch; seed 0;
    // not shuffled; 60 s zigzag 120 = 78, 0 ns; 4 failures.
    private static final String PLAIN =
            "02" + "01610a" + "016203" + "01" + "047465737406" + "02" + "02" + "01" + "00" + "00" + "7800" + "04";

    @Test
    void the_format_is_exact() {
        LedgerSpec read = SpecCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(PLAIN)));

        assertThat(read).isEqualTo(spec().build());
        assertThat(HexFormat.of().formatHex(SpecCodec.encode(read))).isEqualTo(PLAIN);
    }

    @Test
    void a_bound_and_a_prediction_follow_if_set() {
        LedgerSpec bounded = spec().maxMinibatches(300).build();
        LedgerSpec predicting =
                LedgerSpec.builder().prediction(List.of(new DataShard("p", 6))).build();

        assertThat(HexFormat.of().formatHex(SpecCodec.encode(bounded))).isEqualTo(PLAIN + "ac02" + "00");
        for (LedgerSpec spec : List.of(bounded, predicting)) {
            assertThat(SpecCodec.decode(ByteBuffer.wrap(SpecCodec.encode(spec))))
                    .isEqualTo(spec);
        }
        assertThat(SpecCodec.differences(bounded, spec().build())).isEqualTo("maxMinibatches is 300 there, 0 here");
    }
}
