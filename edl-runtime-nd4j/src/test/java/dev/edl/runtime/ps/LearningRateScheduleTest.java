package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LearningRateScheduleTest {
    private static final ShardRange RANGE = new ShardRange(0, 0, 1);

    @TempDir
    Path directory;

    /** Rates by hand from the formulas of Keras' documentation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "constant:rate=0.1 | 0 | 0.1",
                "constant:rate=0.1 | 1000000 | 0.1",
                "piecewise:boundaries=10;20,rates=1.0;0.5;0.1 | 0 | 1",
                "piecewise:boundaries=10;20,rates=1.0;0.5;0.1 | 10 | 1",
                "piecewise:boundaries=10;20,rates=1.0;0.5;0.1 | 11 | 0.5",
                "piecewise:boundaries=10;20,rates=1.0;0.5;0.1 | 21 | 0.1",
                "exponential:initial=0.8,steps=10,factor=0.25 | 0 | 0.8",
                "exponential:initial=0.8,steps=10,factor=0.25 | 5 | 0.4",
                "exponential:initial=0.8,steps=10,factor=0.25 | 20 | 0.05",
                "exponential:initial=0.8,steps=10,factor=0.25,staircase=true | 19 | 0.2",
                "polynomial:initial=1.0,steps=10,end=0.2,power=1.0 | 5 | 0.6",
                "polynomial:initial=1.0,steps=10,end=0.2,power=2.0 | 5 | 0.4",
                "polynomial:initial=1.0,steps=10,end=0.2,power=2.0 | 50 | 0.2",
                "cosine:initial=2.0,steps=8,alpha=0.0 | 0 | 2",
                "cosine:initial=2.0,steps=8,alpha=0.0 | 4 | 1",
                "cosine:initial=2.0,steps=8,alpha=0.0 | 8 | 0",
                "cosine:initial=2.0,steps=8,alpha=0.5 | 4 | 1.5",
                "cosine:initial=2.0,steps=6,alpha=0.0 | 2 | 1.5",
                "warmup:steps=4 then constant:rate=0.4 | 0 | 0.1",
                "warmup:steps=4 then constant:rate=0.4 | 3 | 0.4",
                "warmup:steps=4 then exponential:initial=0.8,steps=10,factor=0.25 | 9 | 0.4"
            })
    void rates_follow_the_step(String text, long step, float expected) {
        LearningRateSchedule schedule = LearningRateSchedule.parse(text);

        assertThat(schedule.rate(step)).isCloseTo(expected, within(1e-7f));
        assertThat(schedule).hasToString(text).isEqualTo(LearningRateSchedule.parse(text));
    }

    @Test
    void settings_that_are_left_out_have_keras_defaults() {
        assertThat(LearningRateSchedule.parse("polynomial:initial=1,steps=10"))
                .hasToString("polynomial:initial=1.0,steps=10,end=1.0E-4,power=1.0");
        assertThat(LearningRateSchedule.parse("cosine:initial=1,steps=10"))
                .isEqualTo(LearningRateSchedule.cosine(1, 10));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cosin:steps=1 | \"cosin\" is not a known learning rate; did you mean \"cosine\"?",
                "cosine:initial=1 | cosine needs the setting steps",
                "constant | constant needs the setting rate",
                "cosine:initial=1,steps=x | steps must be a whole number, was \"x\"; for example steps=1000",
                "cosine:initial=1,steps=0 | cosine: steps must be at least 1, was 0; for example steps=1000",
                "constant:rate=0 | constant: rate must be a finite number above 0, was 0.0; for example rate=0.1",
                "cosine:initial=1,steps=1,alpha=2 | cosine: alpha must be from 0 to 1, was 2.0; for example"
                        + " cosine:initial=0.1,steps=10000,alpha=0.01",
                "polynomial:initial=1,steps=1,end=-1 | polynomial: end must be a finite number of at least 0, was -1.0;"
                        + " for example polynomial:initial=0.1,steps=10000,end=0.0001,power=1.0",
                "piecewise:boundaries=5;3,rates=1;2;3 | piecewise needs at least one boundary, boundaries from 0 that"
                        + " ascend, and one rate more, each at least 0; was [5, 3] and [1.0, 2.0, 3.0]; for example"
                        + " piecewise:boundaries=1000;5000,rates=0.1;0.01;0.001"
            })
    void mistakes_are_told(String text, String message) {
        assertThatThrownBy(() -> LearningRateSchedule.parse(text))
                .hasMessage("learning rate \"" + text + "\": " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"warmup:steps=5", "constant:rate=1 then constant:rate=2"})
    void a_warmup_and_nothing_else_stands_in_front_of_another(String text) {
        assertThatThrownBy(() -> LearningRateSchedule.parse(text))
                .hasMessage("learning rate \"" + text + "\": a warmup needs a schedule after \"then\", and other"
                        + " schedules take none; for example warmup:steps=500 then constant:rate=0.1");
    }

    @Test
    void a_custom_rule_is_asked_and_watched() {
        LearningRateSchedule schedule = LearningRateSchedule.custom("halves", step -> step < 2 ? 0.5 : Double.NaN);

        assertThat(schedule).hasToString("custom:halves");
        assertThat(schedule.rate(1)).isEqualTo(0.5f);
        assertThatThrownBy(() -> schedule.rate(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the learning rate must be a finite number of at least 0, was NaN at step 2 of custom:halves");
    }

    private static ParameterShard shard(UpdateRule rule) {
        ParameterShard shard = new ParameterShard(RANGE, 1, ShardContents.floats(1), rule, 100);
        shard.initialize(new float[1]);
        return shard;
    }

    private static float weight(ParameterShard shard) {
        float[] weights = new float[1];
        shard.pull(weights);
        return weights[0];
    }

    @Test
    void a_rule_that_throws_is_named_with_the_step() {
        double[] rates = {0.1, 0.05};
        LearningRateSchedule schedule = LearningRateSchedule.custom("by table", step -> rates[(int) step]);

        assertThat(schedule.rate(1)).isEqualTo(0.05f);
        assertThatThrownBy(() -> schedule.withWarmup(3).rate(5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the learning rate schedule warmup:steps=3 then custom:by table failed at step 5:"
                        + " java.lang.ArrayIndexOutOfBoundsException: Index 2 out of bounds for length 2");
    }

    @Test
    void failing_rule_leaves_the_shard_unchanged() {
        LearningRateSchedule schedule = LearningRateSchedule.custom("broken", step -> -1);
        ParameterShard shard = shard(
                UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous()).withLearningRate(schedule));

        assertThatThrownBy(() -> shard.push("a", 3, 0, new float[] {1})).isInstanceOf(IllegalStateException.class);
        assertThat(shard.held(3, 1)).isZero();
        assertThat(weight(shard)).isZero();
        shard.learningRate(0.5f);
        shard.push("a", 3, 0, new float[] {1});
        assertThat(weight(shard)).isEqualTo(-0.5f);
    }

    @Test
    void schedule_follows_the_version_and_continues_after_restore() throws Exception {
        LearningRateSchedule schedule = LearningRateSchedule.piecewise(new long[] {0, 2}, 100, 10, 1);
        UpdateRule rule =
                UpdateRule.of(Optimizer.sgd(5f), Consistency.asynchronous()).withLearningRate(schedule);
        ParameterLayout layout = ParameterLayout.builder().add("w", 2).build();
        ShardContents contents = ShardContents.of(layout, List.of(), 1);
        TestShards group = TestShards.create(contents, 1, rule, 100, Duration.ofSeconds(1));
        group.initialize(new float[2]);
        for (int i = 0; i < 2; i++) {
            Workers.of(group).push("a", i, new long[] {i}, new float[] {1, 1});
        }
        assertThat(group.cut().weights()).containsOnly(-110);

        Path saved = new CheckpointStore(directory, 0).save(group.cut(), layout, Map.of());
        TestShards after = TestShards.create(contents, 2, rule, 100, Duration.ofSeconds(1));
        after.restore(CheckpointStore.load(saved).shards(layout, rule.optimizer(), 100, 2));
        Workers.of(after).push("a", 2, new long[] {2, 2}, new float[] {1, 1});
        Workers.of(after).push("a", 3, new long[] {3, 3}, new float[] {1, 1});
        assertThat(after.cut().weights()).containsOnly(-121);
    }

    @Test
    void staleness_divides_the_rate() {
        UpdateRule rule =
                UpdateRule.of(Optimizer.sgd(12f), Consistency.asynchronous()).withStalenessModulation();
        ParameterShard shard = shard(rule);
        float before = 0;
        // Staleness 0 and 1 leave the rate alone: ElasticDL divides by max(1, version - basedOn).
        long[] basedOn = {0, 0, 0, 0, 4};
        float[] steps = {12, 12, 6, 4, 12};
        for (int i = 0; i < 5; i++) {
            shard.push("a", i, basedOn[i], new float[] {1});
            assertThat(before - weight(shard)).as("push %d", i).isEqualTo(steps[i]);
            before = weight(shard);
        }
        assertThat(rule)
                .hasToString("sgd:learning_rate=12.0, constant:rate=12.0, staleness unbounded, grads_to_wait 1,"
                        + " modulated");
    }

    @Test
    void of_a_round_the_greatest_staleness_counts_also_after_a_restore() {
        UpdateRule rule = UpdateRule.of(
                        Optimizer.sgd(12f), Consistency.staleness(5).withGradsToWait(2))
                .withStalenessModulation();
        ParameterShard shard = shard(rule);
        for (String worker : List.of("a", "b")) {
            shard.join(worker);
        }
        for (int i = 0; i < 3; i++) {
            shard.push("a", 2L * i, i, new float[] {0});
            shard.push("b", 2L * i + 1, i, new float[] {0});
        }
        shard.push("a", 10, 0, new float[] {1});
        ParameterShard other = shard(rule);
        other.restore(shard.snapshot());
        shard.push("b", 11, 3, new float[] {3});
        other.push("b", 11, 3, new float[] {3});

        assertThat(weight(shard)).isEqualTo(-8);
        assertThat(weight(other)).isEqualTo(-8);
    }

    @Test
    void modulation_of_what_is_never_stale_is_refused() {
        UpdateRule rule = UpdateRule.of(Optimizer.sgd(1f), Consistency.synchronous());

        assertThatThrownBy(rule::withStalenessModulation)
                .hasMessage("staleness modulation does nothing in synchronous training, where no gradient is stale;"
                        + " leave it out, or give a staleness bound above 0");
    }
}
