package dev.edl.runtime.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.group.TestShards;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CheckpointWriterTest {
    private static ShardCut cut() throws InterruptedException {
        TestShards group =
                TestShards.create(2, 1, Optimizer.sgd(1f), Consistency.asynchronous(), 4, Duration.ofSeconds(1));
        group.initialize(new float[2]);
        return group.cut();
    }

    @Test
    void a_master_is_free_while_a_checkpoint_is_written() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch disk = new CountDownLatch(1);
        List<ShardCut> written = new CopyOnWriteArrayList<>();
        try (CheckpointWriter writer = new CheckpointWriter("master-checkpoints", () -> {})) {
            ShardCut cut = cut();
            assertThat(writer.isIdle()).isTrue();
            writer.begin(cut, () -> {
                writing.countDown();
                Waits.on(disk);
                written.add(cut);
            });
            Waits.on(writing);

            assertThat(writer.isIdle()).isFalse();
            assertThatThrownBy(() -> writer.begin(cut, () -> {}))
                    .hasMessage("the checkpoint before version 0 is still being written");
            disk.countDown();
            writer.await();
            assertThat(writer.isIdle()).isTrue();
            assertThat(written).containsExactly(cut);
        }
    }

    @Test
    void what_a_write_throws_reaches_the_master_once() throws Exception {
        try (CheckpointWriter writer = new CheckpointWriter("master-checkpoints", () -> {})) {
            writer.begin(cut(), () -> {
                throw new IllegalArgumentException("no space left");
            });

            assertThatThrownBy(writer::await)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no space left");
            assertThat(writer.isIdle()).isTrue();
        }
    }

    @Test
    void a_replica_that_is_stopped_waits_for_no_write() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        try (CheckpointWriter writer = new CheckpointWriter("master-checkpoints", () -> {
            throw new UnsupportedOperationException("stopped");
        })) {
            writer.begin(cut(), () -> Waits.on(disk));

            assertThatThrownBy(writer::await).isInstanceOf(UnsupportedOperationException.class);
            disk.countDown();
        }
    }
}
