package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.Subscription;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventHubTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final EventHub hub = new EventHub("unit", List.of());
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    private static TrainingEvent loss(int step) {
        return new TrainingEvent.Loss("worker-0", step, 0.5f);
    }

    private static TrainingEvent progressed(int task) {
        return new TrainingEvent.Progressed(
                new Progress(0, 1, task, 10_000, task, 10_000, task, 0.5, 1, Duration.ofSeconds(1)));
    }

    private static List<String> steps(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(s -> "Loss = 0.5, steps = " + s)
                .toList();
    }

    private void listen() {
        hub.add(event -> heard.add(event.toString()));
    }

    @Test
    void a_late_listener_hears_what_it_missed_before_what_is_new() throws Exception {
        IntStream.range(0, 5).forEach(s -> hub.emit(loss(s)));
        listen();
        IntStream.range(5, 8).forEach(s -> hub.emit(loss(s)));
        hub.drain(LIMIT);

        assertThat(heard).isEqualTo(steps(0, 8));
    }

    @Test
    void concurrent_emit_and_subscribe_miss_and_repeat_no_event() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        Thread emitter = new Thread(() -> IntStream.range(0, 900).forEach(s -> {
            hub.emit(loss(s));
            if (s == 450) {
                half.countDown();
            }
        }));
        emitter.start();
        Waits.on(half);
        listen();
        emitter.join();
        hub.drain(LIMIT);

        assertThat(heard).isEqualTo(steps(0, 900));
    }

    @Test
    void the_last_thousand_are_replayed_and_progress_pushes_out_no_other_event() throws Exception {
        IntStream.range(0, 1001).forEach(s -> hub.emit(loss(s)));
        IntStream.range(0, 1001).forEach(t -> hub.emit(progressed(t)));
        listen();
        hub.drain(LIMIT);

        Stream<String> progress =
                IntStream.range(1, 1001).mapToObj(t -> progressed(t).toString());
        assertThat(heard)
                .isEqualTo(Stream.concat(steps(1, 1001).stream(), progress).toList());
    }

    @Test
    void an_early_listener_hears_each_event_once_when_another_one_comes_late() throws Exception {
        listen();
        hub.emit(loss(0));
        hub.add(event -> {});
        hub.emit(loss(1));
        hub.drain(LIMIT);

        assertThat(heard).isEqualTo(steps(0, 2));
    }

    @Test
    void a_listener_of_a_closed_run_receives_all_events_at_once() {
        hub.emit(loss(0));
        hub.close();
        listen();

        assertThat(heard).isEqualTo(steps(0, 1));
    }

    @Test
    void a_closed_subscription_receives_no_more_events() throws Exception {
        hub.emit(loss(0));
        hub.emit(loss(1));
        List<Subscription> own = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch ready = new CountDownLatch(1);
        own.add(hub.add(event -> {
            heard.add(event.toString());
            Waits.on(ready);
            own.get(0).close();
        }));
        ready.countDown();
        hub.drain(LIMIT);

        assertThat(heard).isEqualTo(steps(0, 1));
    }

    @Test
    void a_slow_listener_gets_the_newest_progress_and_all_other_events() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        hub.add(event -> {
            blocked.countDown();
            Waits.on(goOn);
            heard.add(event.toString());
        });
        hub.emit(progressed(0));
        Waits.on(blocked);
        for (int i = 1; i <= 10_000; i++) {
            hub.emit(progressed(i));
            if (i % 2500 == 0) {
                hub.emit(loss(i));
            }
        }
        assertThat(hub.behind()).isEqualTo(5);
        goOn.countDown();
        hub.drain(LIMIT);

        assertThat(heard)
                .containsExactly(
                        progressed(0).toString(),
                        loss(2500).toString(),
                        loss(5000).toString(),
                        loss(7500).toString(),
                        progressed(10_000).toString(),
                        loss(10_000).toString());
    }
}
