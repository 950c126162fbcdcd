package dev.edl.runtime.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskRecordsTest {
    private final Dataset data =
            ArrayDataset.of(new float[][] {{0}, {1}, {2}, {3}, {4}, {5}}, new int[] {0, 1, 0, 1, 0, 1});
    private final String shard = data.shards().get(0).name();
    private final Task task = new Task(1, TaskType.TRAINING, 0, -1, shard, 2, 6, 2, 1, 3, 0);
    private final TaskRecords records = new TaskRecords(data, 4);

    @Test
    void records_are_in_the_order_of_the_dataset() throws Exception {
        records.read(data, task, task.end());
        Batch minibatch = new Batch(2, 1, 1);

        records.copy(minibatch, 2, 4);

        assertThat(records.size()).isEqualTo(4);
        assertThat(minibatch.features()).containsExactly(4, 5);
        assertThat(minibatch.labels()).containsExactly(0, 1);
    }

    @Test
    void a_shuffle_depends_on_its_seed_alone() throws Exception {
        records.read(data, task, task.end());
        records.shuffle(3);
        Batch once = new Batch(4, 1, 1);
        records.lend(once, 0, 4);
        float[] order = once.features().clone();
        records.read(data, task, task.end());
        records.shuffle(3);
        Batch again = new Batch(4, 1, 1);
        records.copy(again, 0, 4);

        assertThat(again.features()).containsExactly(order);
        assertThat(order).containsExactlyInAnyOrder(2, 3, 4, 5).isNotEqualTo(new float[] {2, 3, 4, 5});
    }

    @Test
    void a_dataset_that_gives_too_few_records_is_refused() {
        Dataset cut = new Dataset() {
            @Override
            public List<DataShard> shards() {
                return data.shards();
            }

            @Override
            public int features() {
                return 1;
            }

            @Override
            public int labels() {
                return 1;
            }

            @Override
            public void read(String name, long start, long end, Batch into) throws IOException {
                data.read(name, start, end - 1, into);
            }
        };

        assertThatThrownBy(() -> records.read(cut, task, 6))
                .isInstanceOf(IOException.class)
                .hasMessage(shard + "[2..6): expected 4 records, the dataset gave 3");
    }
}
