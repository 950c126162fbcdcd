package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.wire.bounds.ManualTimers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers whose TLS handshake never ends: the limit and the bound hold. This test passes. */
@Timeout(60)
class SlowTlsTest {
    @Test
    void strangers_in_a_tls_handshake_are_bounded_and_block_nobody() throws Exception {
        ManualTimers timers = new ManualTimers();
        NotedMaster master = new NotedMaster();
        List<Stranger> strangers = new ArrayList<>();
        try (Loopback loopback = new Loopback(timers, Loopback.tls())) {
            loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
            for (int i = 0; i < 2 * ConnectionSettings.defaults().strangers(); i++) {
                Stranger stranger = new Stranger(loopback.listener);
                strangers.add(stranger);
                stranger.sends(new byte[] {0x16, 3, 1, 2, 0, 1});
            }
            loopback.worker("b").next();
            assertThat(master.nextCall()).isEqualTo("next");
            timers.pass(Duration.ofMinutes(1));
            for (Stranger stranger : strangers) {
                try {
                    while (stranger.channel.read(ByteBuffer.allocate(100)) >= 0) {}
                } catch (java.io.IOException reset) {
                    // Closed as well.
                }
            }
            loopback.worker("b").next();
        } finally {
            strangers.forEach(Stranger::close);
        }
    }
}
