package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker cannot reach a parameter server that its master and the other workers reach, or that is absent for all. */
@Timeout(60)
class UnreachableServerTest {
    private static final int MINUTES = 6;

    /** Runs a worker whose pulls fail, one a minute; returns the holders of tasks after each minute. */
    private static List<Set<String>> holders(OneJvm jvm, Training training) {
        ReplicaContext context = new ReplicaContext("worker-0", 0);
        List<Set<String>> seen = new ArrayList<>();
        ShardsPort shards = jvm.group.worker("worker-0");
        ShardsPort unreachable = (ShardsPort) Proxy.newProxyInstance(
                ShardsPort.class.getClassLoader(), new Class<?>[] {ShardsPort.class}, (proxy, call, arguments) -> {
                    if (call.getName().equals("pull")) {
                        jvm.pass(Duration.ofMinutes(1));
                        jvm.master().runIteration(jvm.services.waits(() -> {}));
                        seen.add(jvm.master().holders());
                        if (seen.size() == MINUTES) {
                            context.stop();
                        }
                        throw new ShardTimeoutException("ps-1 is unreachable");
                    }
                    try {
                        return call.invoke(shards, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
        WorkerRunner worker = WorkerRunner.ofTraining(
                context, training, unreachable, () -> Optional.of(jvm.master("worker-0")), jvm::nanos);
        assertThatThrownBy(worker::run).isInstanceOf(ReplicaStoppedException.class);
        return seen;
    }

    private static OneJvm begun(Training training) throws Exception {
        OneJvm jvm = new OneJvm(training);
        jvm.bringBack(0);
        jvm.bringBack(1);
        jvm.publish();
        return jvm;
    }

    @Test
    void its_task_goes_to_another_worker_after_the_task_timeout() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (OneJvm jvm = begun(training)) {
            List<Set<String>> seen = holders(jvm, training);

            assertThat(seen.subList(0, 4)).containsOnly(Set.of("worker-0"));
            assertThat(seen.get(MINUTES - 1)).isEmpty();
        }
    }

    @Test
    void no_lease_expires_while_the_server_is_absent_for_all() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (OneJvm jvm = begun(training)) {
            jvm.group.detach(1);

            assertThat(holders(jvm, training)).containsOnly(Set.of("worker-0"));
        }
    }
}
