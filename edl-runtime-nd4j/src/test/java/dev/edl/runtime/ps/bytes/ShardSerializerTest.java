package dev.edl.runtime.ps.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import dev.edl.runtime.ps.Tables;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.group.TestShards;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSerializerTest {
    private static final ShardSerializer BYTES = new ShardSerializer(Tables.CONTENTS, 2, 1000);

    /** Writes the bytes that a test reads. */
    @FunctionalInterface
    private interface Content {
        void writeTo(ChecksummedOutput out) throws IOException;
    }

    private static byte[] sealed(Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ChecksummedOutput out = ChecksummedOutput.to(bytes);
        content.writeTo(out);
        out.seal();
        return bytes.toByteArray();
    }

    /** Two shards with rows, slots, a kept version, and gradients that wait for their round. */
    private static TestShards trained() throws InterruptedException {
        TestShards group = Tables.group(2, UpdateRule.of(Optimizer.adam(0.01f), Consistency.synchronous()));
        group.pins().pinEvery(1, 2, version -> {});
        for (int id = 0; id < 20; id++) {
            long[] ids = new Random(id).longs(40, 0, 5000).toArray();
            Tables.push(group, "a", id, Tables.batch(ids), 0.5f);
        }
        group.pins().hold(20);
        group.pins().keep(20);
        group.join("a");
        group.join("b");
        Tables.push(group, "a", 20, Tables.batch(1, 2, 3, 4), 0.25f);
        return group;
    }

    private static byte[] written(ShardSnapshot shard) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BYTES.write(shard, out);
        return out.toByteArray();
    }

    private static ShardSnapshot read(byte[] bytes) throws IOException {
        return BYTES.readShard(new ByteArrayInputStream(bytes));
    }

    @Test
    void shard_state_is_bit_identical_after_transfer() throws Exception {
        for (ShardSnapshot shard : trained().cut().shards()) {
            byte[] bytes = written(shard);
            ShardSnapshot same = read(bytes);

            assertThat(same).hasToString(shard.toString());
            assertThat(same.fingerprint()).isEqualTo(shard.fingerprint());
            assertThat(same.pending()).containsExactly(20L);
            assertThat(same.appliedPushes())
                    .containsExactlyElementsOf(shard.appliedPushes().boxed().toList());
            assertThat(written(same)).isEqualTo(bytes);
        }
    }

    private static TestShards goneOn(List<ShardSnapshot> from) throws InterruptedException {
        TestShards group = Tables.group(2, UpdateRule.of(Optimizer.adam(0.01f), Consistency.synchronous()));
        group.restore(from);
        group.join("a");
        group.join("b");
        Tables.push(group, "a", 21, Tables.batch(1, 2, 3, 4), 0.25f);
        Tables.push(group, "b", 22, Tables.batch(3, 4, 5, 6), 0.25f);
        return group;
    }

    @Test
    void shards_restored_from_bytes_continue_identically() throws Exception {
        List<ShardSnapshot> states = trained().cut().shards();
        TestShards expected = goneOn(states);
        TestShards found = goneOn(List.of(read(written(states.get(0))), read(written(states.get(1)))));

        assertThat(found.cut().version()).isEqualTo(21);
        for (int i = 0; i < 2; i++) {
            assertThat(found.cut().shards().get(i).fingerprint())
                    .isEqualTo(expected.cut().shards().get(i).fingerprint());
        }
        assertSame(
                found.pins().pinned(20).orElseThrow(),
                expected.pins().pinned(20).orElseThrow());
    }

    private static void assertSame(ModelSnapshot found, ModelSnapshot expected) {
        assertThat(found).hasToString(expected.toString());
        assertThat(found.weights()).isEqualTo(expected.weights());
        for (int t = 0; t < 2; t++) {
            TableSnapshot table = found.tables().get(t);
            TableSnapshot there = expected.tables().get(t);
            assertThat(table.ids()).isEqualTo(there.ids());
            for (long id : table.ids()) {
                assertThat(table.row(id)).as("row %d", id).isEqualTo(there.row(id));
            }
            assertThat(table.row(999_999)).isEqualTo(there.row(999_999));
        }
    }

    @Test
    void model_is_unchanged_by_transfer() throws Exception {
        ModelSnapshot model = trained().cut().model();
        List<TableSnapshot> whole = model.tables().stream()
                .map(table -> TableSnapshot.of(
                        table.name(), table.dimension(), table.initializer(), table.seed(), table.ids(), values(table)))
                .toList();
        for (ModelSnapshot each : List.of(model, ModelSnapshot.of(model.version(), model.weights(), whole))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BYTES.write(each, out);

            assertSame(BYTES.readModel(new ByteArrayInputStream(out.toByteArray())), model);
        }
    }

    private static float[] values(TableSnapshot table) {
        float[] values = new float[table.size() * table.dimension()];
        long[] ids = table.ids();
        for (int i = 0; i < ids.length; i++) {
            table.read(ids[i], values, i * table.dimension());
        }
        return values;
    }

    @Test
    void parts_of_a_pinned_version_make_the_same_model_after_transfer() throws Exception {
        TestShards group = trained();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 2; i++) {
            BYTES.write(group.shard(i).orElseThrow().pins().part(20).orElseThrow(), out);
        }
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());

        // One stream with one part after the other: reading a part consumes nothing after its end.
        List<PinnedShard> parts = List.of(BYTES.readPinned(in), BYTES.readPinned(in));
        assertThat(in.available()).isZero();
        assertThat(parts.get(1)).hasToString("ps-1[3..7) at version 20");
        assertSame(ModelSnapshot.of(parts), group.pins().pinned(20).orElseThrow());
    }

    @Test
    void vectors_of_many_blocks_are_read_as_they_were_written() throws Exception {
        ShardContents contents = ShardContents.floats(400_000);
        TestShards group = TestShards.create(
                contents, 1, UpdateRule.of(Optimizer.adam(0.1f), Consistency.asynchronous()), 8, Duration.ofSeconds(1));
        float[] weights = new float[400_000];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i;
        }
        group.initialize(weights);
        ShardSnapshot shard = group.cut().shards().get(0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        shard.write(out);

        ShardSnapshot same = new ShardSerializer(contents, 1, 8).readShard(new ByteArrayInputStream(out.toByteArray()));
        assertThat(same.fingerprint()).isEqualTo(shard.fingerprint());
    }

    @Test
    void every_flipped_bit_and_missing_byte_is_detected() throws Exception {
        byte[] bytes = written(trained().cut().shards().get(0));
        Random random = new Random(7);
        for (int n = 0; n < 300; n++) {
            byte[] damaged = bytes.clone();
            int at = n < 16 ? n : random.nextInt(bytes.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> read(damaged)).as("byte %d of seed 7", at).isInstanceOf(CheckpointException.class);
            byte[] shorter = Arrays.copyOf(bytes, at);
            assertThatThrownBy(() -> read(shorter)).as("%d bytes", at).isInstanceOf(CheckpointException.class);
        }
    }

    @Test
    void damage_is_said_in_words() throws Exception {
        byte[] bytes = written(trained().cut().shards().get(0));

        assertThatThrownBy(() -> read(new byte[0]))
                .hasMessage("a shard's state ends after 0 bytes, within a block or before the last one");
        assertThatThrownBy(() -> read("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8)))
                .hasMessage("a shard's state has a block of 542393671 bytes at 0, a block has at most 262144 bytes");
        byte[] damaged = bytes.clone();
        damaged[8] ^= 1;
        assertThatThrownBy(() -> read(damaged))
                .hasMessageMatching("a shard's state has the checksum [0-9a-f]{8} for the block at 0,"
                        + " its content has [0-9a-f]{8}");
        assertThatThrownBy(() -> read(sealed(out -> out.putLong(0))))
                .hasMessage("a shard's state is not a shard file: it begins with 00000000, not 534c4445");
        assertThatThrownBy(() -> BYTES.readModel(new ByteArrayInputStream(bytes)))
                .hasMessage("a model's state begins with 534c4445, not 4d4c4445");
        assertThatThrownBy(() -> BYTES.readPinned(new ByteArrayInputStream(bytes)))
                .hasMessage("a shard's pinned version begins with 534c4445, not 504c4445");
    }

    @Test
    void a_state_of_another_training_is_refused() throws Exception {
        byte[] bytes = written(trained().cut().shards().get(1));

        assertThatThrownBy(
                        () -> new ShardSerializer(Tables.CONTENTS, 3, 1000).readShard(new ByteArrayInputStream(bytes)))
                .hasMessage("a shard's state is of ps-1[3..7), which is not a shard of this model");
        assertThatThrownBy(() -> new ShardSerializer(Tables.CONTENTS, 2, 8).readShard(new ByteArrayInputStream(bytes)))
                .hasMessage("a shard's state counts 1000 minibatches per epoch, this training 8");
        assertThatThrownBy(() -> new ShardSerializer(ShardContents.floats(7), 2, 1000)
                        .readShard(new ByteArrayInputStream(bytes)))
                .hasMessage("a shard's state has 2 embedding tables, the model 0");
        assertThatThrownBy(() -> new ShardSerializer(Tables.CONTENTS, 2, 0))
                .hasMessage("an epoch must have at least 1 minibatch, was 0");
    }

    private static void head(ChecksummedOutput out, int length) throws IOException {
        out.putInt(0x534c4445);
        out.putInt(4);
        out.putInt(0);
        out.putInt(0);
        out.putInt(length);
    }

    /** Lengths for which an array would need gigabytes; the checksums are right. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1_500_000_000, -1})
    void length_alone_allocates_no_memory(int length) throws Exception {
        byte[] range = sealed(out -> head(out, length));
        byte[] text = sealed(out -> {
            head(out, 4);
            out.putInt(length);
        });
        byte[] weights = sealed(out -> {
            head(out, 4);
            out.putString("sgd:learning_rate=0.1");
            out.putLong(1);
            out.putLong(1);
            out.putInt(length);
        });
        byte[] pending = sealed(out -> {
            head(out, 4);
            out.putString("sgd:learning_rate=0.1");
            out.putLong(1);
            out.putLong(1);
            out.putFloats(new float[4]);
            out.putInt(0);
            out.putInt(length);
        });
        for (byte[] each : List.of(range, text, weights, pending)) {
            assertThatThrownBy(() -> read(each))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageNotContaining("has format");
        }
    }

    @Test
    void excess_bytes_and_impossible_minibatches_are_rejected() throws Exception {
        ShardSerializer plain = new ShardSerializer(ShardContents.floats(4), 1, 4);
        byte[] five = sealed(out -> epoch(out, 0b10001, false));
        assertThatThrownBy(() -> plain.readShard(new ByteArrayInputStream(five)))
                .hasMessage("a shard's state has 5 minibatches of epoch 0, where epochs from 0, each once, of 4 were"
                        + " expected");
        byte[] fine = sealed(out -> epoch(out, 0b1001, false));
        assertThat(plain.readShard(new ByteArrayInputStream(fine)).appliedPushes())
                .containsExactly(0L, 3L);
        byte[] more = sealed(out -> epoch(out, 0b1001, true));
        assertThatThrownBy(() -> plain.readShard(new ByteArrayInputStream(more)))
                .hasMessage("a shard's state has more bytes than it needs");
    }

    @Test
    void pushes_of_impossible_ids_are_rejected() throws Exception {
        ShardSerializer plain = new ShardSerializer(ShardContents.floats(4), 1, 4);
        byte[] pushes = sealed(out -> {
            out.putLongs(new long[] {-1});
            out.putInt(4);
            out.putLong(0);
            out.putLongs(new long[0]);
            out.putInt(0);
        });

        assertThatThrownBy(() -> plain.readPushes(new ByteArrayInputStream(pushes)))
                .hasMessage("a shard's set of pushes has the pending pushes [-1], where ids from 0 were expected");
    }

    private static void epoch(ChecksummedOutput out, long bits, boolean more) throws IOException {
        head(out, 4);
        out.putString("sgd:learning_rate=0.1");
        out.putLong(2);
        out.putLong(2);
        out.putFloats(new float[4]);
        out.putFloats(new float[0]);
        out.putLongs(new long[0]);
        out.putInt(4);
        out.putLong(Long.bitCount(bits));
        out.putLongs(new long[0]);
        out.putInt(1);
        out.putInt(0);
        out.putLongs(new long[] {bits});
        out.putLong(0);
        out.putInt(0);
        out.putInt(0);
        if (more) {
            out.putInt(0);
        }
    }
}
