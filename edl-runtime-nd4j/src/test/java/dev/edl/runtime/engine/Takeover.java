package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.files.Retries;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.group.ShardGroup;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of tests in which a master in another process takes over. The servers are objects, and all roles run on the
 * test's thread.
 */
@Timeout(60)
abstract class Takeover {
    static final int SERVERS = 2;
    private static final Duration ABSENCE = Duration.ofSeconds(3);
    static final TaskFailure UNREADABLE = new TaskFailure(FailureKind.UNREADABLE, "a disk is away");

    @TempDir
    Path folder;

    final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    final @Nullable HostedShard[] servers = new HostedShard[SERVERS];
    long nanos;
    private long sequence;

    /** Process of a master. Only the servers and the files outlive it. */
    @SuppressWarnings("NullAway.Init") // The master is set by lead.
    final class MasterOf implements AutoCloseable {
        final TrainingStore store;
        final EventHub events;
        final ShardGroup shards;
        final SharedTrainingState services;
        final AbsentServerRetry retry;
        TrainingMaster master;
        private LocalRegistrationPort registration;

        MasterOf(String process, TrainingBuilder builder) throws IOException, InterruptedException {
            this("run-1", process, builder);
        }

        MasterOf(String run, String process, TrainingBuilder builder) throws IOException, InterruptedException {
            var training = builder.absenceTimeout(ABSENCE).build();
            store = TrainingStore.open(training, SERVERS, run, Retries.NONE);
            events = new EventHub("unit", List.of(event -> {
                if (event instanceof TrainingEvent.BegunAnew
                        || event instanceof TrainingEvent.EvaluationLost
                        || event instanceof TrainingEvent.Resumed) {
                    heard.add(event.getClass().getSimpleName());
                }
            }));
            shards = new ShardGroup(process, SERVERS, Duration.ofMillis(5));
            services = new SharedTrainingState(
                    "master",
                    training,
                    shards,
                    store,
                    events,
                    null,
                    null,
                    new RunClock(() -> Instant.EPOCH, () -> nanos));
            services.runBy(run, process);
            retry = services.waits(() -> nanos += Duration.ofSeconds(1).toNanos());
        }

        /** Leads, after the servers' terms if they follow an earlier master. Servers that are null start anew. */
        TrainingMaster lead() throws IOException, InterruptedException {
            return lead(List.of(0, 1));
        }

        TrainingMaster lead(List<Integer> present) throws IOException, InterruptedException {
            while (true) {
                try {
                    return comeUp(present);
                } catch (StaleTermException stale) {
                    services.follow(stale.followed());
                }
            }
        }

        private TrainingMaster comeUp(List<Integer> present) throws IOException, InterruptedException {
            ShardsControl control = services.lead();
            master = MasterRunner.master(services, control, event -> {});
            registration = new LocalRegistrationPort(master, services);
            for (int index : present) {
                connect(index);
            }
            MasterRunner.comeUp(master, services, control, retry);
            services.publish(master);
            return master;
        }

        /** Connects a server, which begins a life if it has none. */
        void connect(int index) throws IOException {
            if (servers[index] == null) {
                ShardAssignment assignment = registration.register(index);
                servers[index] = new HostedShard(
                        store.template().shard(index, assignment), assignment.term(), assignment.life());
                shards.attach(index, servers[index]);
                registration.ready(index, assignment.life());
            } else {
                shards.attach(index, servers[index]);
            }
        }

        /** Does the next task. */
        void work(String worker) throws InterruptedException {
            if (!(master.next(worker) instanceof Assignment.Lease lease)) {
                return;
            }
            Task task = lease.task();
            if (task.type() == TaskType.EVALUATION) {
                master.evaluated(task, new double[][] {{task.records(), task.records()}, {0, task.records()}});
                return;
            }
            int first = task.attempt() == 0 ? 0 : held(task.pushId(0), task.minibatches());
            for (int k = first; k < task.minibatches(); k++) {
                push(worker, task.pushId(k));
            }
            master.trained(task, ShardLife.UNKNOWN_LIVES);
        }

        /** Trains to the end, with one worker; returns the proof. */
        LedgerProof train() throws IOException, InterruptedException {
            while (!master.finished()) {
                work("worker-0");
                master.runIteration(retry);
            }
            LedgerProof proof = master.proof();
            assertThat(proof.holds()).as(proof.toString()).isTrue();
            for (int i = 0; i < SERVERS; i++) {
                assertThat(server(i).shard().appliedCount()).isEqualTo(proof.minibatches());
            }
            return proof;
        }

        ResumedProgress resumption() {
            return services.history().resumed().orElseThrow();
        }

        Path checkpoint() throws IOException, InterruptedException {
            return services.checkpoint(shards.cut());
        }

        @Override
        public void close() throws IOException {
            services.masterSlot().retire(master);
            master.retire();
            shards.close();
            events.close();
            store.close();
        }
    }

    HostedShard server(int index) {
        return Optional.ofNullable(servers[index]).orElseThrow();
    }

    private int held(long first, int count) {
        return Math.min(server(0).held(first, count), server(1).held(first, count));
    }

    List<PushResult.Outcome> push(String worker, long pushId) throws InterruptedException {
        List<PushResult.Outcome> outcomes = new ArrayList<>();
        sequence++;
        for (int i = 0; i < SERVERS; i++) {
            HostedShard server = server(i);
            float[] vector = new float[server.range().length()];
            long version = server.pull(worker, vector, List.of());
            Arrays.fill(vector, 0.01f);
            outcomes.add(server.push(worker, sequence, pushId, server.life(), version, vector, List.of())
                    .outcome());
        }
        return outcomes;
    }

    static TrainingBuilder training(Path directory) {
        return Fixture.training(new LogisticModel(Fixture.FEATURES)).checkpointDirectory(directory);
    }

    /** Returns a training with checkpoints in the test's folder. */
    TrainingBuilder training() {
        return training(folder);
    }
}
