package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A worker of a pass: asks the master for tasks and computes what the model says of their records, until there is no
 * more work. Nothing of its state matters to the job.
 *
 * @param <P> what a task comes to
 */
final class PassWorker<P> {
    private final ReplicaContext context;
    private final PassServices<P, ?> services;
    private final Pass pass;
    private final Batch minibatch;
    private final Batch records;
    private final float[] outputs;
    private final boolean labels;

    PassWorker(ReplicaContext context, PassServices<P, ?> services) {
        this.context = context;
        this.services = services;
        this.pass = services.pass();
        Dataset data = pass.data();
        this.minibatch = Batch.of(pass.model(), pass.minibatch());
        this.records = new Batch(
                pass.minibatch() * pass.minibatchesPerTask(), data.features(), data.labels(), data.ids(), List.of());
        this.outputs = new float[pass.minibatch() * pass.model().outputs()];
        this.labels = !services.work().predicts();
    }

    /** Works until all records are done or the replica is stopped. */
    void run() throws InterruptedException {
        try (Model.Session session = pass.model().open(pass.minibatch())) {
            boolean more = true;
            while (more) {
                context.check();
                try {
                    Optional<PassMaster<P>> master = services.master(context);
                    more = master.isPresent() && turn(master.get(), session);
                } catch (MasterGone gone) {
                    // The next master hands the task out again.
                    more = true;
                }
            }
        }
    }

    /** Asks for work and does it; whether there may be more. */
    private boolean turn(PassMaster<P> master, Model.Session session) throws InterruptedException {
        Assignment assignment = master.next(context.name());
        if (assignment instanceof Assignment.Finished) {
            return false;
        }
        if (assignment instanceof Assignment.Lease lease) {
            perform(master, lease.task(), session);
        } else {
            master.awaitChange();
        }
        return true;
    }

    private void perform(PassMaster<P> master, Task task, Model.Session session) {
        try {
            P part = compute(master, task, session);
            context.check();
            master.complete(task, part);
        } catch (ReplicaStopped | MasterGone stop) {
            throw stop;
        } catch (ModelException broken) {
            master.broken(Reason.of(broken));
            throw broken;
        } catch (IOException unreadable) {
            // Another worker may see what this one cannot; too many tries fail the job with this message.
            context.check();
            master.fail(task, unreadable);
        } catch (RuntimeException failure) {
            if (!context.stopped()) {
                master.fail(task, failure);
            }
            throw failure;
        }
    }

    private P compute(PassMaster<P> master, Task task, Model.Session session) throws IOException {
        int count = Math.toIntExact(task.records());
        records.clear(task.shard());
        pass.data().read(task.shard(), task.start(), task.end(), records);
        if (records.size() != count) {
            throw new IOException(
                    task.range() + ": expected " + count + " records, the dataset gave " + records.size());
        }
        P part = services.work().begin(count);
        for (int k = 0; k < task.minibatches(); k++) {
            context.check();
            int from = k * task.minibatchSize();
            int to = Math.min(count, from + task.minibatchSize());
            minibatch.clear(task.range(k).toString());
            for (int i = from; i < to; i++) {
                add(i, task.start() + i);
            }
            services.model().fill(minibatch.gather());
            session.predict(services.model().weights(), minibatch, outputs);
            services.work().add(part, outputs, pass.model().outputs(), minibatch);
            master.touch(task);
        }
        return part;
    }

    private void add(int row, long record) {
        if (labels) {
            minibatch.addRow(records, row, record);
            return;
        }
        // The records may have no labels, and the session's batch has room for those of the model: they stay 0.
        int to = minibatch.row();
        copy(records.features(), row, minibatch.features(), to, records.featureWidth());
        System.arraycopy(
                records.ids(), row * records.idWidth(), minibatch.ids(), to * records.idWidth(), records.idWidth());
        Arrays.fill(minibatch.labels(), to * minibatch.labelWidth(), (to + 1) * minibatch.labelWidth(), 0);
    }

    private static void copy(float[] from, int row, float[] into, int to, int width) {
        System.arraycopy(from, row * width, into, to * width, width);
    }
}
