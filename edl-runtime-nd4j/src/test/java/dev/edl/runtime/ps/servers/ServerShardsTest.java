package dev.edl.runtime.ps.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerShardsTest {
    private static final Term TERM = new Term(1, "m.1");

    private final ServerShards shards = new ServerShards("unit", 2, Duration.ofSeconds(1));
    private final ServerHosts hosts = new ServerHosts(shards, Consistency.synchronous(), 8);
    private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        shards.close();
    }

    private void begin(int index) {
        hosts.begin(index);
        hosts.attach(index, port -> ServerHosts.watched(port, calls, name -> {}));
    }

    private ShardsControl lead() {
        begin(0);
        begin(1);
        return shards.lead(TERM);
    }

    @Test
    void pushes_of_present_lives_are_held_without_a_call_to_a_shard() throws Exception {
        ShardsControl master = lead();
        long lives = master.lives();
        calls.clear();

        assertThat(master.holds(0, 4, lives)).isTrue();
        assertThat(calls).isEmpty();
        assertThat(master.holds(0, 4, ShardLife.UNKNOWN_LIVES)).isFalse();
        assertThat(calls).containsExactly("held", "held");
    }
}
