package dev.edl.runtime.data.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleDecoderTest {
    private static final ExampleDecoder MNIST =
            ExampleDecoder.create().floats("image", 3, 0.5f).label("label");

    @TempDir
    Path folder;

    @Test
    void columns_follow_the_order_of_the_calls() {
        ExampleDecoder decoder = ExampleDecoder.create()
                .floats("age")
                .bytes("raw", 2, 0.5f)
                .labels("targets", 2)
                .floats("counts", 2, 10)
                .ids("user", 1)
                .ids("items", 2);
        TfExample example = TfExample.builder()
                .int64s("items", 5, 6)
                .int64s("user", 1L << 40)
                .int64s("counts", 3, -4)
                .bytes("raw", new byte[] {(byte) 255, 4})
                .floats("targets", 0.25f, 1)
                .floats("age", 33)
                .floats("unused", 1, 2, 3)
                .build();
        Batch batch = new Batch(2, 5, 2, 3, List.of());
        batch.row();
        decoder.decode(example.toBytes(), batch);
        assertThat(batch.features()).containsExactly(0, 0, 0, 0, 0, 33, 127.5f, 2, 30, -40);
        assertThat(batch.labels()).containsExactly(0, 0, 0.25f, 1);
        assertThat(batch.ids()).containsExactly(0, 0, 0, 1L << 40, 5, 6);
        assertThat(decoder)
                .hasToString("ExampleDecoder[floats \"age\" 1, bytes \"raw\" 2, labels \"targets\" 2, floats \"counts\""
                        + " 2, ids \"user\" 1, ids \"items\" 2]");
    }

    @Test
    void recordio_and_tfrecord_examples_are_read_alike() throws IOException {
        byte[] record = TfExample.builder()
                .floats("image", 1, 2, 3)
                .int64s("label", 7)
                .build()
                .toBytes();
        Path recordIo = folder.resolve("a.recordio");
        try (RecordIoWriter writer = RecordIoWriter.create(recordIo)) {
            writer.write(record);
        }
        Path tfRecord = folder.resolve("a.tfrecord");
        try (TfRecordWriter writer = TfRecordWriter.create(tfRecord)) {
            writer.write(record);
        }
        Batch batch = new Batch(2, 3, 1);
        try (RecordIoDataset first = RecordIoDataset.open(recordIo, MNIST);
                TfRecordDataset second = TfRecordDataset.open(tfRecord, MNIST)) {
            first.read("a.recordio", 0, 1, batch);
            second.read("a.tfrecord", 0, 1, batch);
        }
        assertThat(batch.features()).containsExactly(0.5f, 1, 1.5f, 0.5f, 1, 1.5f);
        assertThat(batch.labels()).containsExactly(7, 7);
    }

    @Test
    void a_feature_that_may_be_missing_gets_its_value() {
        ExampleDecoder decoder = ExampleDecoder.create()
                .floats("age", 2, 100)
                .orElse(0.5)
                .ids("user", 1)
                .orElse(-1)
                .label("label")
                .orElse(2);
        Batch batch = new Batch(2, 2, 1, 1, List.of());
        decoder.decode(new byte[0], batch);
        decoder.decode(
                TfExample.builder().floats("age").int64s("user", 4).build().toBytes(), batch);
        assertThat(batch.features()).containsExactly(0.5f, 0.5f, 0.5f, 0.5f);
        assertThat(batch.ids()).containsExactly(-1, 4);
        assertThat(batch.labels()).containsExactly(2, 2);
    }

    @Test
    void ids_that_may_be_fewer_are_filled_with_none() {
        ExampleDecoder decoder = ExampleDecoder.create().idsUpTo("genres", 3);
        Batch batch = new Batch(2, 0, 0, 3, List.of());
        decoder.decode(TfExample.builder().int64s("genres", 8).build().toBytes(), batch);
        assertThat(batch.ids()).startsWith(8, -1, -1);
        refuse(
                decoder,
                TfExample.builder().int64s("genres", 1, 2, 3, 4),
                "feature \"genres\": expected at most 3 values, found 4");
    }

    @Test
    void an_empty_feature_is_handled_for_every_list_type() {
        Batch batch = new Batch(4, 0, 0, 2, List.of());
        // A feature of no kind, as protobuf writes one that was named and never filled: map entry 10, key "genres", {}.
        byte[] named = {10, 12, 10, 10, 10, 6, 'g', 'e', 'n', 'r', 'e', 's', 18, 0};
        for (byte[] record :
                List.of(named, TfExample.builder().int64s("genres").build().toBytes())) {
            ExampleDecoder.create().idsUpTo("genres", 2).decode(record, batch);
            ExampleDecoder.create().idsUpTo("genres", 2).orElse(7).decode(record, batch);
        }
        assertThat(batch.ids()).containsExactly(-1, -1, 7, 7, -1, -1, 7, 7);
    }

    @Test
    void a_missing_feature_is_named_with_existing_ones() {
        refuse(
                MNIST,
                TfExample.builder().floats("picture", 1).int64s("label", 7),
                "there is no feature \"image\"; there are \"label\", \"picture\"; if it is optional, set a default"
                        + " with orElse");
        refuse(
                MNIST,
                TfExample.builder(),
                "there is no feature \"image\"; there is no feature at all; if it is optional, set a default with"
                        + " orElse");
        refuse(
                MNIST,
                TfExample.builder().floats("image").int64s("label", 7),
                "feature \"image\" has no value; if it is optional, set a default with orElse");
    }

    @Test
    void a_list_of_another_kind_or_length_is_named() {
        refuse(
                MNIST,
                TfExample.builder().floats("image", 1, 2).int64s("label", 7),
                "feature \"image\": expected 3 values, found 2");
        refuse(
                MNIST,
                TfExample.builder().bytes("image", new byte[3]).int64s("label", 7),
                "feature \"image\": expected a float list or an int64 list, found a bytes list");
        refuse(
                ExampleDecoder.create().ids("user", 1),
                TfExample.builder().floats("user", 1),
                "feature \"user\": expected an int64 list, found a float list");
        refuse(
                ExampleDecoder.create().bytes("raw", 4, 1),
                TfExample.builder().bytes("raw", new byte[3]),
                "feature \"raw\": expected 1 value of 4 bytes, found 1 of 3");
        refuse(
                ExampleDecoder.create().bytes("raw", 4, 1),
                TfExample.builder().bytes("raw", new byte[4], new byte[4]),
                "feature \"raw\": expected 1 value of 4 bytes, found 2");
    }

    @Test
    void a_label_that_no_float_holds_is_refused() {
        refuse(
                ExampleDecoder.create().floats("x").label("label"),
                TfExample.builder().floats("x", 1).int64s("label", (1 << 24) + 1),
                "feature \"label\": a label must be from -16777216 to 16777216, which a float holds exactly, was"
                        + " 16777217");
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> ExampleDecoder.create().floats("image", 0))
                .hasMessage("feature \"image\" must have at least 1 value, was 0");
        assertThatThrownBy(() -> ExampleDecoder.create().floats("image", 1, Float.NaN))
                .hasMessage("feature \"image\": the scale must be finite, for example 0.0039, was NaN");
        assertThatThrownBy(() -> ExampleDecoder.create().orElse(1))
                .hasMessage("orElse(1.0) must follow the column that it is for, for example floats(\"age\").orElse(0)");
        assertThatThrownBy(() -> ExampleDecoder.create().ids("user", 1).orElse(0.5))
                .hasMessage("feature \"user\": the value for examples without it must be a whole number, was 0.5");
    }

    private static void refuse(ExampleDecoder decoder, TfExample.Builder example, String problem) {
        Batch batch = new Batch(1, decoder.features(), decoder.labels(), decoder.ids(), List.of());
        assertThatThrownBy(() -> decoder.decode(example.build().toBytes(), batch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }
}
