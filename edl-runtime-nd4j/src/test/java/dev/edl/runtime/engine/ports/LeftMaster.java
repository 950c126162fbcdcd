package dev.edl.runtime.engine.ports;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.task.Task;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on the calls to a master that has left. */
final class LeftMaster {
    private LeftMaster() {}

    /** Asserts that the common calls of trainings and passes throw, and then more calls. */
    static void assertThatAllCallsSaySo(MasterPort port, Task task, ThrowingCallable... more) {
        List<ThrowingCallable> calls = new ArrayList<>(List.of(
                port::next,
                () -> port.prefetch(task),
                () -> port.startPrefetched(task),
                port::awaitChange,
                port::minibatchStarted,
                port::gradientComputed,
                port::roundWaitStarted,
                port::roundWaitEnded,
                () -> port.touch(task),
                () -> port.loss(1, 1),
                () -> port.logLoss(1, 1),
                () -> port.model(1),
                () -> port.trained(task, ShardLife.UNKNOWN_LIVES),
                () -> port.evaluated(task, new double[][] {{3}}),
                () -> port.failed(task, new TaskFailure(FailureKind.DATA, "record 3 has no label"))));
        calls.addAll(List.of(more));
        for (int i = 0; i < calls.size(); i++) {
            assertThatThrownBy(calls.get(i))
                    .as("call %d", i)
                    .isInstanceOf(MasterGoneException.class)
                    .hasMessage("the master has left");
        }
    }
}
