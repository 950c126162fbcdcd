package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.proof.TaskType;
import org.junit.jupiter.api.Test;

class TaskTest {
    private static final Task TASK = new Task(7, TaskType.TRAINING, 2, -1, "train-1", 128, 298, 64, 20, 30, 0);

    @Test
    void its_minibatches_cover_its_records_with_a_short_last_one() {
        assertThat(TASK.minibatches()).isEqualTo(3);
        assertThat(TASK.range(0)).isEqualTo(new RecordRange("train-1", 128, 192));
        assertThat(TASK.range(1)).isEqualTo(new RecordRange("train-1", 192, 256));
        assertThat(TASK.range(2)).isEqualTo(new RecordRange("train-1", 256, 298));
        assertThat(TASK.records()).isEqualTo(170);
    }

    @Test
    void push_ids_follow_from_epoch_and_first_minibatch() {
        assertThat(TASK.pushId(0)).isEqualTo(80);
        assertThat(TASK.pushId(2)).isEqualTo(82);
    }

    @Test
    void a_minibatch_outside_is_refused() {
        assertThatThrownBy(() -> TASK.range(3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("minibatch 3 of task 7: train-1[128..298) of epoch 3, which has 3");
    }

    @Test
    void an_evaluation_task_has_no_push_ids() {
        Task task = new Task(8, TaskType.EVALUATION, -1, 200, "test-0", 0, 10, 64, 0, 1, 2);

        assertThat(task).hasToString("task 8: test-0[0..10) at version 200, attempt 2");
        assertThatThrownBy(() -> task.pushId(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("task 8: test-0[0..10) at version 200, attempt 2 pushes nothing:"
                        + " only training tasks have push ids");
    }

    @Test
    void numbers_that_do_not_fit_together_are_refused() {
        assertThatThrownBy(() -> new Task(7, TaskType.TRAINING, 0, -1, "a", 0, 130, 64, 28, 30, 0))
                .hasMessage("task 7: its minibatches end at 31, but minibatchesPerEpoch is 30");
        assertThatThrownBy(() -> new Task(0, TaskType.TRAINING, 0, -1, "a", 5, 5, 64, 0, 30, 0))
                .hasMessage("a task needs id >= 1, 0 <= start < end, minibatchSize >= 1, firstMinibatch >= 0 and"
                        + " attempt >= 0, was id 0, a[5..5), minibatchSize 64, firstMinibatch 0, attempt 0");
    }

    @Test
    void an_empty_range_is_refused() {
        assertThatThrownBy(() -> new RecordRange("a", 3, 3))
                .hasMessage("a range of records needs 0 <= start < end, for example a[0..64), was a[3..3)");
    }
}
