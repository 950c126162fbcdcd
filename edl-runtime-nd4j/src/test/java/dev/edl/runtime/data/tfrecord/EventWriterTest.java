package dev.edl.runtime.data.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventWriterTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    @Test
    void the_file_has_the_name_that_tensorboard_looks_for() throws IOException {
        try (EventWriter writer = EventWriter.create(folder.resolve("a/b"), START)) {
            assertThat(writer.file()).isEqualTo(folder.resolve("a/b/events.out.tfevents.1767225600.edl"));
            assertThat(writer).hasToString("EventWriter[" + writer.file() + "]");
        }
    }

    @Test
    void two_files_of_one_second_stand_beside_each_other() throws IOException {
        EventWriter.create(folder, START, "host-1").close();
        try (EventWriter second = EventWriter.create(folder, START, "host-1")) {
            assertThat(second.file()).isEqualTo(folder.resolve("events.out.tfevents.1767225600.host-1.1"));
        }
    }

    @Test
    void an_interrupted_thread_writes_as_any_other() throws IOException {
        try {
            Thread.currentThread().interrupt();
            try (EventWriter writer = EventWriter.create(folder, START)) {
                long before = writer.file().toFile().length();
                writer.scalar("train/loss", 0, 2.5f, START);
                assertThat(writer.file().toFile().length()).isGreaterThan(before);
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void the_first_bytes_are_those_of_every_event_file() throws IOException {
        Path file;
        try (EventWriter writer = EventWriter.create(folder, START)) {
            file = writer.file();
        }
        // 24 bytes and the checksum of that length, as in event files of TensorFlow; then wall time (field 1) and
        // file version (field 3), 15 bytes of text.
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
                .startsWith("1800000000000000" + "a37f4b22" + "09")
                .contains("1a0d" + HexFormat.of().formatHex("brain.Event:2".getBytes(UTF_8)));
    }

    @Test
    void events_can_be_parsed_before_close() throws IOException {
        try (EventWriter writer = EventWriter.create(folder, START)) {
            writer.scalar("train/loss", 0, 2.5f, START.plusMillis(500));
            writer.scalar("train/loss", 300, Float.NaN, START.plusSeconds(2));
            writer.text("job/members", Long.MAX_VALUE, "worker-0 → worker-4", START);
            double start = 1767225600.0;
            assertThat(parse(writer.file()))
                    .containsExactly(
                            Map.of("1", start, "3", "brain.Event:2"),
                            Map.of("1", start + 0.5, "2", 0L, "5.1.1", "train/loss", "5.1.2", 2.5f),
                            Map.of("1", start + 2, "2", 300L, "5.1.1", "train/loss", "5.1.2", Float.NaN),
                            // A string tensor (type 7) of shape [1], shown by the plugin "text".
                            Map.of(
                                    "1",
                                    start,
                                    "2",
                                    Long.MAX_VALUE,
                                    "5.1.1",
                                    "job/members",
                                    "5.1.8.1",
                                    7L,
                                    "5.1.8.2.2.1",
                                    1L,
                                    "5.1.8.8",
                                    "worker-0 → worker-4",
                                    "5.1.9.1.1",
                                    "text"));
        }
    }

    @Test
    void a_step_below_0_and_a_host_with_a_slash_are_refused() throws IOException {
        try (EventWriter writer = EventWriter.create(folder, START)) {
            assertThatThrownBy(() -> writer.scalar("loss", -1, 1, START))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the step must be at least 0, was -1");
        }
        assertThatThrownBy(() -> EventWriter.create(folder, START, "a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the host must be of letters, digits, dots, dashes and underscores, for example \"edl\","
                        + " was \"a/b\"");
    }

    @Test
    void a_closed_writer_names_its_file() throws IOException {
        EventWriter writer = EventWriter.create(folder, START);
        writer.close();
        assertThatThrownBy(() -> writer.scalar("loss", 1, 1, START))
                .isInstanceOf(IOException.class)
                .hasMessage(writer.file() + ": the event writer is closed");
    }

    /** Parser of TFRecord and of the messages' wire format that shares no code with the writer. */
    private static List<Map<String, Object>> parse(Path file) throws IOException {
        List<Map<String, Object>> events = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            byte[] length = new byte[8];
            bytes.get(length);
            assertThat(Integer.toUnsignedLong(bytes.getInt())).isEqualTo(masked(length));
            byte[] event = new byte
                    [(int) ByteBuffer.wrap(length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong()];
            bytes.get(event);
            assertThat(Integer.toUnsignedLong(bytes.getInt())).isEqualTo(masked(event));
            Map<String, Object> fields = new LinkedHashMap<>();
            fields("", event, fields);
            events.add(fields);
        }
        return events;
    }

    private static void fields(String path, byte[] message, Map<String, Object> into) {
        ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        List<String> messages = List.of("5", "5.1", "5.1.8", "5.1.8.2", "5.1.8.2.2", "5.1.9", "5.1.9.1");
        while (bytes.hasRemaining()) {
            long tag = varint(bytes);
            String field = path + (tag >> 3);
            switch ((int) (tag & 7)) {
                case 0 -> into.put(field, varint(bytes));
                case 1 -> into.put(field, bytes.getDouble());
                case 5 -> into.put(field, bytes.getFloat());
                case 2 -> {
                    int length = (int) varint(bytes);
                    byte[] value = Arrays.copyOfRange(message, bytes.position(), bytes.position() + length);
                    bytes.position(bytes.position() + length);
                    if (messages.contains(field)) {
                        fields(field + ".", value, into);
                    } else {
                        into.put(field, new String(value, UTF_8));
                    }
                }
                default -> throw new AssertionError("wire type of tag " + tag);
            }
        }
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    /** Bit by bit, from the polynomial of CRC-32C, reflected: 82f63b78. */
    private static long masked(byte[] data) {
        int crc = -1;
        for (byte b : data) {
            crc ^= b & 0xff;
            for (int i = 0; i < 8; i++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 1 ? 0x82f63b78 : 0);
            }
        }
        crc = ~crc;
        return ((crc >>> 15 | crc << 17) + 0xa282ead8L) & 0xffffffffL;
    }
}
