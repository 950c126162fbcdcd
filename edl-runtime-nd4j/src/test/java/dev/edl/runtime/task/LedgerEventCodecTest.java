package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.BegunAnew;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationLost;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.EvaluationResumed;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Rebuilt;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reinstated;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import dev.edl.runtime.task.internal.Encoder;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerEventCodecTest {
    private static final Task TRAINING = new Task(300, TaskType.TRAINING, 2, -1, "b", 0, 3, 2, 5, 7, 1);
    private static final Task EVALUATION = new Task(8, TaskType.EVALUATION, -1, 1L << 40, "test", 4, 6, 2, 2, 3, 0);
    private static final Duration AT = Duration.ofDays(400).plusNanos(123456789);

    static List<LedgerEvent> events() {
        return List.of(
                new EpochStarted(2),
                new EvaluationQueued(Long.MAX_VALUE),
                new Leased(TRAINING, "worker-0 \u00e9", AT),
                new Leased(EVALUATION, "w", Duration.ZERO),
                new Touched(300, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
                new Completed(TRAINING, Duration.ofNanos(-1)),
                new GivenBack(EVALUATION),
                new Failed(TRAINING, ""),
                new Recalled(TRAINING),
                new Recalled(EVALUATION),
                new Recovered(TRAINING, Reason.GONE),
                new Recovered(TRAINING, Reason.EXPIRED),
                new Recovered(TRAINING, Reason.SUPERSEDED),
                new Recovered(TRAINING, Reason.REOPENED),
                new LateReport(Integer.MIN_VALUE),
                new Reopened(1, List.of(new RecordRange("a", 0, 8), new RecordRange("b", 0, 3)), List.of(3, 300)),
                new Reopened(0, List.of(), List.of(1)),
                new Resumed(List.of()),
                new Resumed(List.of(
                        new ResumedEpoch(List.of(new RecordRange("a", 0, 10)), List.of(new RecordRange("b", 0, 3))),
                        new ResumedEpoch(List.of(), List.of(new RecordRange("a", 8, 10))))),
                new Stopped("loss has not improved \u00e9"),
                new Stopped(""),
                new EvaluationResumed(20, List.of(new RecordRange("test", 0, 4))),
                new EvaluationLost(20),
                new Reinstated(1, List.of(new RecordRange("b", 0, 3))),
                new Rebuilt(List.of(
                        new TaskFailures(TaskType.TRAINING, 1, new RecordRange("b", 0, 3), 2),
                        new TaskFailures(TaskType.EVALUATION, 20, new RecordRange("test", 4, 6), 1))),
                new BegunAnew());
    }

    @ParameterizedTest
    @MethodSource("events")
    void what_is_written_is_read(LedgerEvent event) {
        Encoder out = new Encoder();
        new LedgerEventCodec(spec().build()).encode(event, out);

        assertThat(new LedgerEventCodec(spec().build()).decode(out.written())).isEqualTo(event);
    }

    @Test
    void the_format_is_exact() {
        Encoder out = new Encoder();
        new LedgerEventCodec(spec().build()).encode(new Leased(TRAINING, "w0", Duration.ofSeconds(64, 5)), out);

        // By hand: kind 3; id 300 = ac 02; training 00; epoch 2; shard 1; start 0; 3 records; minibatch 5; attempt 1;
        // 2 bytes of text 77 30; 64 s zigzag 128 = 80 01; 5 ns.
        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo("03ac020002010003050102773080" + "0105");
    }

    @Test
    void every_cut_is_refused_in_words() {
        LedgerEventCodec codec = new LedgerEventCodec(spec().build());
        for (LedgerEvent event : events()) {
            Encoder out = new Encoder();
            codec.encode(event, out);
            for (int length = 0; length < out.size(); length++) {
                ByteBuffer cut = ByteBuffer.wrap(out.toBytes(), 0, length);
                assertThatThrownBy(() -> codec.decode(cut))
                        .as("%s cut to %d bytes", event, length)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void any_bytes_decode_to_an_event_or_are_rejected() {
        LedgerEventCodec codec = new LedgerEventCodec(spec().build());
        for (long seed = 0; seed < 20_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = new byte[1 + random.nextInt(40)];
            random.nextBytes(bytes);
            bytes[0] = (byte) (1 + random.nextInt(18));
            for (int i = 1; i < bytes.length; i++) {
                // Small numbers get further into the codec.
                bytes[i] = random.nextBoolean() ? (byte) random.nextInt(4) : bytes[i];
            }
            try {
                LedgerEvent event = codec.decode(ByteBuffer.wrap(bytes));
                Encoder out = new Encoder();
                codec.encode(event, out);
                assertThat(codec.decode(out.written())).as("seed %d", seed).isEqualTo(event);
            } catch (IllegalArgumentException | ArithmeticException | DateTimeException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).isNotBlank();
            }
        }
    }

    @Test
    void bytes_that_are_no_event_are_refused() {
        assertRefused("13", "an event kind from 1 to 18, but it is 19");
        assertRefused("0d1401090004", "a shard below 1, but it is 9");
        assertRefused("01", "a complete entry, but it ends early");
        assertRefused("010200", "the end of the entry, but 1 bytes follow");
        assertRefused("01ffffffff7f", "a number of at most 2147483647, but it is 34359738367");
        assertRefused("01ffffffffffffffffffff01", "a number of at most 10 digits, but it is longer");
        assertRefused("06010000090000", "a shard below 2, but it is 9");
        assertRefused("0601000000000400010577", "the end of the entry, but 2 bytes follow");
    }

    private static void assertRefused(String hex, String message) {
        assertThatThrownBy(() -> new LedgerEventCodec(spec().build())
                        .decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
