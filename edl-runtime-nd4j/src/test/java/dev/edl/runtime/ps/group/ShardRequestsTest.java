package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardRequestsTest {
    private static final Term TERM = new Term(1, "m.1");

    private final ShardGroup shards = new ShardGroup("unit", 2, Duration.ofSeconds(1));
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
        calls.clear();
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

    @Test
    void a_join_or_leave_sends_one_name_to_each_shard() {
        ShardsControl master = lead();
        assertThat(calls).containsExactly("members", "members");
        calls.clear();
        master.join("a");
        master.join("b");
        master.join("b");
        master.leave("a");

        assertThat(calls).hasSize(6).containsOnly("member");
        assertThat(hosts.members(0)).containsExactly("b");
        assertThat(hosts.members(1)).containsExactly("b");
    }

    @Test
    void a_shard_that_missed_a_change_gets_all_members() {
        ShardsControl master = lead();
        master.join("a");
        // The server's connection breaks and comes back with the same life; a change happens in between.
        shards.detach(0, hosts.port(0));
        master.join("b");
        calls.clear();
        hosts.attach(0, port -> ServerHosts.watched(port, calls, name -> {}));
        assertThat(calls).contains("members").doesNotContain("member");
        master.leave("a");

        assertThat(hosts.members(0)).containsExactly("b");
        assertThat(hosts.members(1)).containsExactly("b");
    }

    @Test
    void a_change_that_a_shard_lost_is_found_at_the_next_one() {
        ShardsControl master = lead();
        AtomicBoolean lost = new AtomicBoolean();
        hosts.attach(
                1,
                port -> ServerHosts.watched(port, calls, name -> {
                    if (name.equals("member") && lost.getAndSet(false)) {
                        throw new IllegalStateException("lost");
                    }
                }));
        master.join("a");
        lost.set(true);
        assertThatThrownBy(() -> master.join("b")).hasMessage("lost");
        assertThat(hosts.members(1)).containsExactly("a");
        master.join("c");

        assertThat(hosts.members(0)).containsExactly("a", "b", "c");
        assertThat(hosts.members(1)).containsExactly("a", "b", "c");
    }
}
