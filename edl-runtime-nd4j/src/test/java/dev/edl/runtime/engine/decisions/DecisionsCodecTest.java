package dev.edl.runtime.engine.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.engine.decisions.CallbackEvent.Checkpointed;
import dev.edl.runtime.engine.decisions.CallbackEvent.Ended;
import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.RangeFailureCount;
import dev.edl.runtime.task.RecordRange;
import dev.edl.runtime.task.Task;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecisionsCodecTest {
    private static final List<Metric> METRICS = List.of(Metric.accuracy(), Metric.crossEntropy());

    private static Task part(long version, int first) {
        return new Task(1, TaskType.EVALUATION, -1, version, "test", first * 2L, first * 2L + 4, 2, first, 100, 0);
    }

    private static Decisions all() {
        return Decisions.NONE
                .stop("loss is good enough é")
                .markStopAnnounced()
                .ask(20, Long.MIN_VALUE, METRICS)
                .ask(40, 7, METRICS)
                .measured(part(20, 0), MetricTotals.of(new double[][] {{3, 4}, {0.1, 4}}), METRICS)
                .measured(part(20, 4), MetricTotals.of(new double[][] {{Double.NaN, 4}, {-1e300, 4}}), METRICS)
                .call(new Evaluated(10, -1, Map.of("loss", 0.25)))
                .first(call -> new PendingCallback(call.what(), 2, true))
                .announce(new Checkpointed(50, "version-50"), false)
                .call(new Ended())
                .remember("0.dev.edl.runtime.EarlyStop", new CallbackState("0.3 30 40 0", 0))
                .remember("1.Mine", new CallbackState("", 17))
                .best(Optional.of(new BestVersion(30, Map.of("loss", 0.3, "accuracy", 1.0))))
                .failures(List.of(new RangeFailureCount(TaskType.TRAINING, 2, new RecordRange("a", 0, 8), 3)));
    }

    @Test
    void decisions_come_back_as_they_were() {
        assertThat(DecisionsCodec.decode(DecisionsCodec.encode(all()))).isEqualTo(all());
        assertThat(DecisionsCodec.decode(DecisionsCodec.encode(Decisions.NONE))).isEqualTo(Decisions.NONE);
        assertThat(DecisionsCodec.encode(all())).hasSizeLessThan(400);
    }

    @Test
    void start_of_the_run_comes_back() {
        Decisions begun = all().begun(1_790_000_000_000L);
        assertThat(DecisionsCodec.decode(DecisionsCodec.encode(begun))).isEqualTo(begun);
        assertThat(begun.begun(1_790_000_060_000L)).isEqualTo(begun);
        assertThat(begun.resumed(50).began()).isZero();
    }

    @Test
    void the_record_does_not_grow_with_the_number_of_evaluations() {
        Decisions decisions = Decisions.NONE;
        for (long version = 20; version <= 40_000; version += 20) {
            decisions = decisions.ask(version, 1, METRICS).lose(version).ask(version, 1, METRICS);
            decisions = decisions.measured(
                    new Task(1, TaskType.EVALUATION, -1, version, "test", 0, 4, 2, 0, 2, 0),
                    MetricTotals.of(new double[][] {{3, 4}, {2, 4}}),
                    METRICS);
            decisions = decisions
                    .close(decisions.result(version, METRICS).orElseThrow())
                    .removePendingCall();
        }

        assertThat(DecisionsCodec.encode(decisions)).hasSizeLessThan(400);
        assertThat(decisions.wasAsked(20)).isTrue();
        assertThat(decisions.wasAsked(40_000)).isTrue();
        assertThat(decisions.wasAsked(40_020)).isFalse();
    }

    @Test
    void what_does_not_fit_is_named() {
        Decisions large = Decisions.NONE
                .remember("0.Small", new CallbackState("x", 0))
                .remember("1.Large", new CallbackState("x".repeat(65_536), 0));

        assertThatThrownBy(() -> DecisionsCodec.encode(large))
                .isInstanceOf(DecisionsTooLargeException.class)
                .hasMessage("the master's decisions would need 65572 bytes, more than the 65536 of a record; the"
                        + " largest part is the state of 1.Large with 65548 bytes; a callback should keep large state"
                        + " in its own file and return the file's name from state()");
    }

    @Test
    void bytes_that_are_no_decisions_are_refused() {
        byte[] whole = DecisionsCodec.encode(all());

        assertRefused(new byte[0], "a complete entry, but it ends early");
        assertRefused(HexFormat.of().parseHex("01"), "format 2, but it is 1");
        assertRefused(HexFormat.of().parseHex("03"), "format 2, but it is 3");
        assertRefused(HexFormat.of().parseHex("0202"), "0 or 1, but it is 2");
        assertRefused(
                HexFormat.of().parseHex("02000001ffffffff07"),
                "at most 0 elements in the remaining bytes, but the count is 2147483647");
        assertRefused(Arrays.copyOf(whole, whole.length + 3), "the end of the record, but 3 bytes follow");
        assertRefused(new byte[65_537], "at most 65536 bytes, but they are 65537");
    }

    @Test
    void another_format_is_refused_with_the_checkpoint_that_has_it() {
        assertThatThrownBy(() -> DecisionsCodec.decode(Map.of("decisions", "AQ=="), Path.of("version-7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the record of decisions in version-7 is damaged: expected format 2, but it is 1");
    }

    @Test
    void a_truncated_or_changed_record_is_rejected_or_decodes_to_another_one() {
        byte[] whole = DecisionsCodec.encode(all());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> DecisionsCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        for (long seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                DecisionsCodec.decode(changed);
            } catch (IllegalArgumentException | ArithmeticException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).isNotBlank();
            }
        }
    }

    private static void assertRefused(byte[] bytes, String expected) {
        assertThatThrownBy(() -> DecisionsCodec.decode(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a record of decisions is damaged: expected " + expected);
    }

    @Test
    void parts_are_added_in_data_order_and_a_known_part_is_ignored() {
        MetricTotals one = MetricTotals.of(new double[][] {{1, 4}, {0.1, 4}});
        MetricTotals two = MetricTotals.of(new double[][] {{2, 4}, {0.7, 4}});
        MetricTotals three = MetricTotals.of(new double[][] {{3, 4}, {0.2, 4}});
        Decisions asked = Decisions.NONE.ask(20, 1, METRICS);
        Decisions inOrder = asked.measured(part(20, 0), one, METRICS)
                .measured(part(20, 2), two, METRICS)
                .measured(part(20, 4), three, METRICS);
        Decisions mixed = asked.measured(part(20, 4), three, METRICS)
                .measured(part(20, 0), one, METRICS)
                .measured(part(20, 0), two, METRICS)
                .measured(part(20, 2), two, METRICS);

        assertThat(mixed).isEqualTo(inOrder);
        assertThat(mixed.result(20, METRICS).orElseThrow().metrics()).containsEntry("accuracy", 0.5);
        assertThatThrownBy(() -> asked.measured(part(20, 4), three, METRICS).result(20, METRICS))
                .hasMessage("an evaluation is complete without its minibatches from 0 on");
    }

    @Test
    void the_next_part_always_fits_but_not_a_far_too_early_one() {
        List<Metric> auc = List.of(Metric.auc());
        MetricTotals totals = MetricTotals.none(auc);
        Decisions decisions = Decisions.NONE.ask(20, 1, auc);
        for (int first = 12; first > 2; first -= 2) {
            assertThat(decisions.hasRoomFor(part(20, first), totals)).isTrue();
            decisions = decisions.measured(part(20, first), totals, auc);
        }

        assertThat(decisions.hasRoomFor(part(20, 14), totals)).isTrue();
        decisions = decisions.measured(part(20, 14), totals, auc);
        assertThat(decisions.hasRoomFor(part(20, 2), totals)).isFalse();
        assertThat(decisions.hasRoomFor(part(20, 0), totals)).isTrue();
    }

    @Test
    void a_resumed_run_forgets_what_ended_with_the_run_before() {
        Decisions resumed = all().resumed(30);

        assertThat(resumed.stop()).isEmpty();
        assertThat(resumed.open()).isEmpty();
        assertThat(resumed.calls()).isEmpty();
        assertThat(resumed.wasAsked(20)).isFalse();
        assertThat(resumed.best()).isEqualTo(all().best());
        assertThat(resumed.callbacks()).isEqualTo(all().callbacks());
    }
}
