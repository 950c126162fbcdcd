package dev.edl.runtime.engine;

import dev.edl.runtime.PassSpec;
import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.internal.WaitCounters;
import dev.edl.runtime.engine.pass.PartialTaskResult;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/** Work on the tasks of a pass: applies the model to the records of each task. */
final class PassTaskProcessor implements TaskProcessor {
    private final ReplicaContext context;
    private final PassSpec spec;
    private final Pass<?> pass;
    private final WaitCounters counters;
    private final ForwardPass asking;

    PassTaskProcessor(ReplicaContext context, Pass<?> pass, WaitCounters counters) {
        this.context = context;
        this.pass = pass;
        this.spec = pass.spec();
        this.counters = counters;
        this.asking = new ForwardPass(spec.model(), spec.minibatch(), pass.type() == TaskType.EVALUATION);
    }

    @Override
    public TaskRecords allocateBuffer() {
        return new TaskRecords(spec.data(), spec.minibatch() * spec.minibatchesPerTask());
    }

    @Override
    public void read(Task task, TaskRecords into) throws IOException {
        into.read(spec.data(), task, task.end());
    }

    @Override
    public Model.Session open() {
        return spec.model().open(spec.minibatch());
    }

    @Override
    public Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session) {
        counters.master();
        ModelSnapshot model = master.model(task.modelVersion());
        PartialTaskResult partial = pass.partial().apply(records.size());
        asking.run(task, records, model, session, partial, () -> {
            context.check();
            counters.minibatch();
            master.touch(task);
        });
        return () -> {
            context.check();
            partial.report(master, task);
        };
    }
}
