package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.spec.RunPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopThreadTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** A substrate whose replicas run at once and are gone at once. */
    private static class Eager implements Substrate {
        final Map<String, ObservedReplica> objects = new ConcurrentHashMap<>();
        private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

        @Override
        public JobObservation observe(JobPlan plan) {
            return new JobObservation(List.copyOf(objects.values()));
        }

        @Override
        public void apply(JobPlan plan, Action action) {
            if (action instanceof Action.CreateReplica create) {
                String name = create.replica().name();
                objects.putIfAbsent(
                        name,
                        ObservedReplica.of(
                                name, create.replica().role(), create.replica().id(), ObservedPhase.RUNNING));
            } else if (action instanceof Action.DeleteReplica delete) {
                objects.remove(delete.replica());
            }
            wakes.forEach(Runnable::run);
        }

        @Override
        public Subscription onChange(String job, Runnable wake) {
            wakes.add(wake);
            return () -> wakes.remove(wake);
        }

        void exit(String name) {
            objects.computeIfPresent(name, (n, o) -> o.withExitCode(0));
            wakes.forEach(Runnable::run);
        }

        @Override
        public void close() {
            objects.clear();
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-loop-"))
                .toList();
    }

    private static JobPlan plan(String name) {
        return SeedJob.plan(SeedJob.workers(2).name(name).build());
    }

    @Test
    void a_job_runs_to_its_end_by_itself() throws InterruptedException {
        Eager place = new Eager();
        CountDownLatch running = new CountDownLatch(2);
        try (ControlLoop job = ControlLoop.of(plan("loop-a"), place)
                .onEvent(e -> {
                    if (e.type() == JobEvent.Type.REPLICA_RUNNING) {
                        running.countDown();
                    }
                })
                .start()) {
            assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            place.exit("elasticdl-loop-a-worker-0");
            place.exit("elasticdl-loop-a-worker-1");

            assertThat(job.await(SOON).phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(job.events().get(job.events().size() - 1).type()).isEqualTo(JobEvent.Type.JOB_SUCCEEDED);
        }
        assertThat(threads()).doesNotContain("edl-loop-a");
    }

    @Test
    void a_cancelled_job_leaves_nothing() throws InterruptedException {
        Eager place = new Eager();
        try (ControlLoop job = ControlLoop.of(plan("loop-b"), place).start()) {
            job.cancel();

            assertThat(job.await(SOON).phase()).isEqualTo(JobPhase.CANCELLED);
            assertThat(place.objects).isEmpty();
        }
    }

    @Test
    void close_keeps_the_replicas_ends_the_thread_and_wakes_waiters() throws InterruptedException {
        Eager place = new Eager();
        ControlLoop job = ControlLoop.of(plan("loop-c"), place).start();
        CountDownLatch waiting = new CountDownLatch(1);
        Thread closer = new Thread(() -> {
            try {
                waiting.await();
                job.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        closer.start();
        waiting.countDown();

        assertThatThrownBy(() -> job.await(SOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"loop-c\" is no longer driven: its handle was closed before the job ended");
        closer.join();
        job.close();
        assertThat(threads()).doesNotContain("edl-loop-c");
    }

    @Test
    void a_thread_that_a_place_holds_is_interrupted() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Eager stuck = new Eager() {
            @Override
            public JobObservation observe(JobPlan plan) {
                held.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return super.observe(plan);
            }
        };
        ControlLoop job = ControlLoop.of(plan("loop-d"), stuck).start();
        assertThat(held.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        job.close();

        assertThat(threads()).doesNotContain("edl-loop-d");
    }

    @Test
    void an_error_ends_the_loop_as_lost_and_not_the_job() {
        Eager broken = new Eager() {
            @Override
            public JobObservation observe(JobPlan plan) {
                throw new LinkageError("no such native");
            }
        };
        try (ControlLoop job = ControlLoop.of(plan("loop-e"), broken).start()) {
            assertThatThrownBy(() -> job.await(SOON))
                    .isInstanceOf(JobLostException.class)
                    .hasMessage("job \"loop-e\" is no longer driven by this handle: its loop failed:"
                            + " java.lang.LinkageError: no such native; the job and its replicas were not changed");
            assertThat(job.status().phase()).isEqualTo(JobPhase.PENDING);
            assertThat(job.lost()).isTrue();
            assertThat(job.failure()).containsInstanceOf(LinkageError.class);
        }
    }

    @Test
    void an_error_in_a_listener_costs_the_listener_and_not_the_job() throws InterruptedException {
        for (Error error : List.of(
                new AssertionError("wrong number"), new LinkageError("no such class"), new StackOverflowError())) {
            Eager place = new Eager();
            List<JobEvent> heard = new CopyOnWriteArrayList<>();
            try (ControlLoop job = ControlLoop.of(plan("loop-f"), place)
                    .onEvent(e -> {
                        throw error;
                    })
                    .onEvent(heard::add)
                    .start()) {
                job.cancel();

                assertThat(job.await(SOON).phase()).isEqualTo(JobPhase.CANCELLED);
            }
            assertThat(heard)
                    .filteredOn(e -> e.type() == JobEvent.Type.LISTENER_FAILED)
                    .extracting(JobEvent::message)
                    .containsExactly(
                            "a listener threw on " + heard.get(0).type() + " and is no longer called: " + error);
            assertThat(heard.get(1).type()).isEqualTo(JobEvent.Type.LISTENER_FAILED);
        }
    }

    @Test
    void await_ends_even_if_every_listener_throws_out_of_memory() {
        Eager place = new Eager();
        ControlLoopBuilder loop = ControlLoop.of(plan("loop-g"), place);
        for (int i = 0; i < 20; i++) {
            loop.onEvent(e -> {
                throw new OutOfMemoryError("full");
            });
        }
        try (ControlLoop job = loop.start()) {
            assertThatThrownBy(() -> job.await(SOON))
                    .isInstanceOf(JobLostException.class)
                    .hasMessageContaining("its loop failed: java.lang.OutOfMemoryError: full");
            assertThat(job.status().phase()).isNotEqualTo(JobPhase.FAILED);
        }
    }

    @Test
    void a_wait_of_any_length_leaves_the_thread_alive() throws InterruptedException {
        JobPlan endless = SeedJob.plan(SeedJob.workers(1)
                .name("loop-h")
                .policy(RunPolicy.builder()
                        .deadline(Duration.ofSeconds(Long.MAX_VALUE))
                        .build())
                .build());
        Eager place = new Eager();
        try (ControlLoop job = ControlLoop.of(endless, place).start()) {
            job.cancel();

            assertThat(job.await(SOON).phase()).isEqualTo(JobPhase.CANCELLED);
            assertThat(place.objects).isEmpty();
        }
    }

    @Test
    void an_interrupt_from_elsewhere_does_not_end_the_thread() throws InterruptedException {
        Eager place = new Eager();
        CountDownLatch running = new CountDownLatch(1);
        try (ControlLoop job = ControlLoop.of(plan("loop-i"), place)
                .onEvent(e -> {
                    Thread.currentThread().interrupt();
                    if (e.type() == JobEvent.Type.JOB_RUNNING) {
                        running.countDown();
                    }
                })
                .start()) {
            assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            job.cancel();

            assertThat(job.await(SOON).phase()).isEqualTo(JobPhase.CANCELLED);
        }
    }
}
