package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.JobFailedException;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Contract of every {@link JobExecutor}, as checks that the test of an executor runs. With JUnit:
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> contract() {
 *   return JobExecutorContract.of(MyPlace::new).checks().stream()
 *       .map(check -> DynamicTest.dynamicTest(check.name(), check::run));
 * }
 * }</pre>
 *
 * <p>Each check has an environment and a job of its own. A failed check throws an {@link AssertionError}. Each wait for
 * the job is limited, to a minute by default.
 */
public final class JobExecutorContract {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final EnvironmentFactory environments;
    private final Duration limit;

    private JobExecutorContract(EnvironmentFactory environments, Duration limit) {
        this.environments = environments;
        this.limit = limit;
    }

    /** Environment in which one check runs its jobs. */
    public interface Environment extends AutoCloseable {
        /** Returns the executor under test. The environment closes it, unless the check has done so. */
        JobExecutor executor();

        /**
         * Returns a job for this environment: a leader that is not a worker, and two workers, elastic from 1 to 4. Its
         * replicas run until {@link #exit} or the executor ends them.
         */
        Job job(String name);

        /**
         * Ends a running replica with an exit code.
         *
         * @param replica role and id of the replica: {@code worker-0}, {@code master}
         */
        void exit(JobHandle job, String replica, int code) throws Exception;

        @Override
        void close();
    }

    /** Factory that creates the environment of each check. */
    @FunctionalInterface
    public interface EnvironmentFactory {
        /** Creates an environment. */
        Environment make() throws Exception;
    }

    /** Body of a check. */
    @FunctionalInterface
    private interface Body {
        void run(Environment environment, Run run) throws Exception;
    }

    /** One guarantee of the contract. */
    public static final class Check {
        private final String name;
        private final JobExecutorContract contract;
        private final Body body;

        private Check(String name, JobExecutorContract contract, Body body) {
            this.name = name;
            this.contract = contract;
            this.body = body;
        }

        /** Returns the guarantee as a sentence. */
        public String name() {
            return name;
        }

        /**
         * Creates an environment and runs the check.
         *
         * @throws AssertionError when the guarantee is broken
         * @throws Exception any exception of the environment
         */
        public void run() throws Exception {
            try (Environment environment = contract.environments.make()) {
                Job job = environment.job("contract");
                try (JobHandle handle = environment.executor().submit(job);
                        Run run = new Run(handle, contract.limit)) {
                    body.run(environment, run);
                }
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Returns a contract whose waits take at most a minute. */
    public static JobExecutorContract of(EnvironmentFactory environments) {
        return new JobExecutorContract(environments, LIMIT);
    }

    /** Returns this contract with another limit for each wait. */
    public JobExecutorContract within(Duration longest) {
        return new JobExecutorContract(environments, longest);
    }

    /** Returns all checks. */
    public List<Check> checks() {
        List<Check> all = new ArrayList<>();
        add(all, "a submitted job runs with all of its replicas", (environment, run) -> run.allRun(2));
        add(all, "a job with the name of a running job is refused, and the first continues", (environment, run) -> {
            run.allRun(2);
            assertThatThrownBy(() -> environment.executor().submit(environment.job("contract")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"contract\"");
            run.allRun(2);
        });
        add(all, "jobs are listed in the order of their submission", (environment, run) -> {
            try (JobHandle second = environment.executor().submit(environment.job("second"))) {
                assertThat(environment.executor().jobs())
                        .extracting(job -> job.plan().name())
                        .containsExactly("contract", "second");
                second.cancel();
            }
        });
        add(all, "a deleted worker gets a successor", (environment, run) -> {
            run.allRun(2);
            run.handle.delete("worker-0");
            run.await("worker-0 is replaced", status -> run.said(JobEvent.Type.RELAUNCHED) && running(status) == 2);
        });
        add(all, "a worker that fails gets a successor", (environment, run) -> {
            run.allRun(2);
            environment.exit(run.handle, "worker-1", 1);
            run.await("worker-1 is replaced", status -> run.said(JobEvent.Type.RELAUNCHED) && running(status) == 2);
            assertThat(run.handle.events()).extracting(JobEvent::type).contains(JobEvent.Type.REPLICA_FAILED);
        });
        add(all, "an absent replica cannot be deleted, and the message names an existing one", (environment, run) -> {
            run.allRun(2);
            assertThatThrownBy(() -> run.handle.delete("worker-17"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("worker-17")
                    .hasMessageContaining("worker-1");
        });
        add(all, "an elastic role is scaled out and in", (environment, run) -> {
            run.allRun(2);
            run.handle.scale("worker", 4);
            run.allRun(4);
            run.handle.scale("worker", 1);
            run.await(
                    "one worker is left",
                    status -> status.replicas().stream()
                                    .filter(replica -> replica.role().id().equals("worker"))
                                    .count()
                            == 1);
        });
        add(all, "scaling out of bounds or of a role that is not elastic is refused", (environment, run) -> {
            run.allRun(2);
            assertThatThrownBy(() -> run.handle.scale("worker", 5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("between 1 and 4, was 5");
            assertThatThrownBy(() -> run.handle.scale(leader(run), 2)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> run.handle.scale("wroker", 2)).isInstanceOf(IllegalArgumentException.class);
        });
        add(all, "the job succeeds with its leader, and its events report it", (environment, run) -> {
            run.allRun(2);
            environment.exit(run.handle, leader(run), 0);
            JobStatus end = run.handle.awaitSuccess(limit);
            assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(end.endedAt()).isPresent();
            assertThat(run.handle.events())
                    .extracting(JobEvent::type)
                    .contains(JobEvent.Type.JOB_RUNNING, JobEvent.Type.JOB_SUCCEEDED);
        });
        add(all, "waiting for the success of a cancelled job throws its final status", (environment, run) -> {
            run.allRun(2);
            run.handle.cancel();
            assertThatThrownBy(() -> run.handle.awaitSuccess(limit))
                    .isInstanceOfSatisfying(
                            JobFailedException.class,
                            failed -> assertThat(failed.status().phase()).isEqualTo(JobPhase.CANCELLED))
                    .hasMessageContaining("contract");
        });
        add(all, "an ended job refuses all requests except a cancellation", (environment, run) -> {
            run.allRun(2);
            environment.exit(run.handle, leader(run), 0);
            run.end();
            refused(() -> run.handle.scale("worker", 3));
            refused(() -> run.handle.delete("worker-0"));
            run.handle.cancel();
            assertThat(run.handle.status().phase()).isEqualTo(JobPhase.SUCCEEDED);
        });
        add(all, "a cancelled job ends, and none of its replicas run", (environment, run) -> {
            run.allRun(2);
            run.handle.cancel();
            assertThat(run.end().phase()).isEqualTo(JobPhase.CANCELLED);
            run.await("nothing runs", status -> running(status) == 0);
        });
        add(all, "a wait ends at its limit, and the job continues", (environment, run) -> {
            run.allRun(2);
            assertThatThrownBy(() -> run.handle.await(Duration.ofMillis(50)))
                    .isInstanceOf(AwaitTimeoutException.class)
                    .hasMessageContaining("contract")
                    .hasMessageContaining("0.05s");
            assertThat(run.handle.status().phase()).isEqualTo(JobPhase.RUNNING);
        });
        add(all, "a listener hears events in their order, until it is closed", (environment, run) -> {
            run.allRun(2);
            List<JobEvent> heard = Collections.synchronizedList(new ArrayList<>());
            Subscription listening = run.handle.onEvent(heard::add);
            run.handle.delete("worker-0");
            // The last expected event has arrived, so none is in transit when the listener is closed.
            run.await("worker-0 is replaced, and the listener receives the event", status -> successorRuns(heard));
            listening.close();
            int until = heard.size();
            assertThat(heard).isNotEmpty();
            assertThat(run.handle.events()).containsSequence(heard);
            run.handle.cancel();
            run.end();
            assertThat(heard).hasSize(until);
        });
        add(all, "a closed handle refuses requests, and a second close does nothing", (environment, run) -> {
            run.allRun(2);
            run.handle.close();
            run.handle.close();
            refused(() -> run.handle.scale("worker", 3));
            refused(() -> run.handle.cancel());
            refused(() -> run.handle.await(Duration.ofSeconds(1)));
        });
        add(all, "a closed executor leaves no thread of its jobs", (environment, run) -> {
            run.allRun(2);
            environment.executor().close();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("edl-contract"))
                    .isEmpty();
        });
        return List.copyOf(all);
    }

    private void add(List<Check> to, String name, Body body) {
        to.add(new Check(name, this, body));
    }

    private static void refused(ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOf(IllegalStateException.class).hasMessageContaining("contract");
    }

    private static boolean successorRuns(List<JobEvent> heard) {
        List<JobEvent.Type> types =
                List.copyOf(heard).stream().map(JobEvent::type).toList();
        int relaunched = types.indexOf(JobEvent.Type.RELAUNCHED);
        return relaunched >= 0 && types.lastIndexOf(JobEvent.Type.REPLICA_RUNNING) > relaunched;
    }

    private static String leader(Run run) {
        return run.handle.plan().leader().type().id();
    }

    private static long running(JobStatus status) {
        return status.replicas().stream()
                .filter(replica -> replica.role().id().equals("worker"))
                .filter(replica -> replica.status().equals("Running"))
                .count();
    }

    /** Job that one check submitted, with waits for changes of its status. */
    private static final class Run implements AutoCloseable {
        final JobHandle handle;
        private final Duration limit;
        private final Semaphore news = new Semaphore(0);
        private final Subscription events;

        Run(JobHandle handle, Duration limit) {
            this.handle = handle;
            this.limit = limit;
            this.events = handle.onEvent(event -> news.release());
        }

        boolean said(JobEvent.Type type) {
            return handle.events().stream().anyMatch(event -> event.type() == type);
        }

        void allRun(int workers) throws InterruptedException {
            await(
                    "the leader and " + workers + " workers run",
                    status -> status.phase() == JobPhase.RUNNING
                            && running(status) == workers
                            && status.replicas().stream()
                                    .allMatch(r -> r.status().equals("Running")));
        }

        void await(String what, Predicate<JobStatus> expected) throws InterruptedException {
            long until = System.nanoTime() + limit.toNanos();
            while (!expected.test(handle.status())) {
                if (System.nanoTime() > until) {
                    throw new AssertionError(
                            "not within " + limit + ": " + what + "; the job is\n" + handle.status() + handle.events());
                }
                // The table changes a little after the event, and sometimes without an event.
                news.tryAcquire(20, TimeUnit.MILLISECONDS);
                news.drainPermits();
            }
        }

        JobStatus end() throws InterruptedException {
            return handle.await(limit);
        }

        @Override
        public void close() {
            events.close();
        }
    }
}
