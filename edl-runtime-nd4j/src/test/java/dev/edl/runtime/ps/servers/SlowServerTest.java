package dev.edl.runtime.ps.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that reports its life and answers late. */
@Timeout(60)
class SlowServerTest {
    private final ServerHosts hosts =
            new ServerHosts(new ServerShards("unit", 2, Duration.ofSeconds(20)), Consistency.synchronous(), 8);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);

    @AfterEach
    void close() {
        answers.countDown();
        hosts.shards.close();
    }

    @Test
    void no_worker_waits_for_it_and_it_knows_all_members_when_it_has_its_seat() throws Exception {
        ShardsControl control = hosts.shards.lead(new Term(1, "m.1"));
        hosts.begin(0);
        hosts.attach(0, port -> port);
        control.join("before");
        hosts.begin(1);
        FutureTask<Boolean> seated = new FutureTask<>(() -> {
            hosts.attach(
                    1,
                    port -> ServerHosts.watched(port, new ConcurrentLinkedQueue<>(), name -> {
                        if (name.equals("version")) {
                            asked.countDown();
                            Waits.on(answers);
                        }
                    }));
            return true;
        });
        Waits.THREADS.execute(seated);
        Waits.on(asked);
        FutureTask<Boolean> joined = new FutureTask<>(() -> control.join("meanwhile"));
        Waits.THREADS.execute(joined);

        assertThat(joined.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(hosts.shards.missing()).isEqualTo(1);
        assertThat(hosts.shards).hasToString("2 shards of other processes, 2 members");
        answers.countDown();
        assertThat(seated.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(hosts.shards.missing()).isEqualTo(-1);
        assertThat(hosts.members(1)).containsExactly("before", "meanwhile");
    }
}
