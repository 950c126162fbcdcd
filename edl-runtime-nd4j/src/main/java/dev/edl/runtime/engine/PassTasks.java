package dev.edl.runtime.engine;

import dev.edl.runtime.Model;
import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.internal.WaitCounters;
import dev.edl.runtime.engine.pass.PartialTaskResult;
import dev.edl.runtime.engine.pass.PassSpec;
import dev.edl.runtime.engine.pass.PassWork;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/** What a worker does with the tasks of a pass: it asks the model about their records. */
final class PassTasks implements TaskWork {
    private final ReplicaContext context;
    private final PassSpec pass;
    private final PassWork<?> work;
    private final WaitCounters waited;
    private final TaskPass asking;

    PassTasks(ReplicaContext context, PassSpec pass, PassWork<?> work, WaitCounters waited) {
        this.context = context;
        this.pass = pass;
        this.work = work;
        this.waited = waited;
        this.asking = new TaskPass(pass.model(), pass.minibatch(), !work.predicts());
    }

    @Override
    public TaskRecords room() {
        return new TaskRecords(pass.data(), pass.minibatch() * pass.minibatchesPerTask());
    }

    @Override
    public void read(Task task, TaskRecords into) throws IOException {
        into.read(pass.data(), task, task.end());
    }

    @Override
    public Model.Session open() {
        return pass.model().open(pass.minibatch());
    }

    @Override
    public Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session) {
        waited.master();
        ModelSnapshot model = master.model(task.modelVersion());
        PartialTaskResult part = work.begin(records.size());
        asking.run(task, records, model, session, part, () -> {
            context.check();
            waited.minibatch();
            master.touch(task);
        });
        return () -> {
            context.check();
            part.report(master, task);
        };
    }
}
