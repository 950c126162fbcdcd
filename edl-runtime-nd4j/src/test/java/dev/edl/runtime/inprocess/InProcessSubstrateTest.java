package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.ReplicaRunner;
import dev.edl.status.ObservedPhase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InProcessSubstrateTest {
    private static final JobPlan PLAN =
            Job.builder().name("unit").elasticdl().ps(1).workers(1).build().plan();

    /** Replica whose thread ends on request of the test. */
    private static final class Held implements ReplicaRunner {
        private final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void run(ReplicaPlan replica, ReplicaContext context) throws InterruptedException {
            end.await();
        }

        @Override
        public void gone(ReplicaPlan replica) {}
    }

    @Test
    void a_deleted_replica_whose_thread_has_ended_is_never_seen_as_failed() {
        ReplicaPlan worker = PLAN.replica("worker", 0);
        Held services = new Held();
        InProcessSubstrate substrate = new InProcessSubstrate(services);
        substrate.apply(PLAN, new Action.CreateReplica(worker));
        // The lock keeps the replica's thread from removing the replica once it has ended.
        synchronized (substrate) {
            substrate.apply(PLAN, new Action.DeleteReplica(worker.name(), "test", true));
            assertThat(substrate.observe(PLAN).replicas()).hasSize(1);
            services.end.countDown();
            while (!substrate.observe(PLAN).replicas().isEmpty()) {
                assertThat(substrate.observe(PLAN).replicas())
                        .allMatch(seen -> seen.phase() == ObservedPhase.RUNNING && seen.terminating());
                LockSupport.parkNanos(1_000_000);
            }
        }
        substrate.close();
    }
}
