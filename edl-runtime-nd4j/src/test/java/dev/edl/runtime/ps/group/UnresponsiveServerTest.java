package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is connected and hangs, as seen by the master. */
class UnresponsiveServerTest {
    private final CountDownLatch answers = new CountDownLatch(1);
    private final ShardGroup shards = new ShardGroup("unit", 2, Duration.ofMillis(1));
    private final ServerHosts hosts = new ServerHosts(shards, Consistency.asynchronous(), 10);

    @AfterEach
    void close() {
        answers.countDown();
        shards.close();
    }

    private void attach() {
        hosts.begin(0);
        hosts.begin(1);
        hosts.attach(
                0,
                port -> ServerHosts.watched(port, new ConcurrentLinkedQueue<>(), call -> {
                    if (call.equals("version")) {
                        Waits.on(answers);
                    }
                }));
        hosts.attach(1, port -> port);
        shards.lead(new Term(1, "m.1"));
    }

    private void awaitUnresponsive(Set<Integer> expected) throws Exception {
        CompletableFuture.runAsync(
                        () -> {
                            while (!shards.unresponsive().equals(expected)) {
                                Thread.onSpinWait();
                            }
                        },
                        Waits.THREADS)
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void a_connected_server_that_answers_no_request_is_unresponsive_until_it_answers() throws Exception {
        attach();

        assertThat(shards.unresponsive()).isEmpty();
        assertThat(shards.unresponsive()).contains(0);
        awaitUnresponsive(Set.of(0));
        assertThat(shards.missing()).isEqualTo(-1);
        answers.countDown();
        awaitUnresponsive(Set.of());
    }

    @Test
    void a_server_that_is_not_connected_is_unresponsive() throws Exception {
        attach();
        answers.countDown();
        hosts.lose(1);

        awaitUnresponsive(Set.of(1));
        hosts.bringBack(1);
        awaitUnresponsive(Set.of());
    }
}
