package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import dev.edl.runtime.wire.tls.TlsRelay;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests workers and servers with TLS, and one end without it. */
@Timeout(60)
class TlsGreetingTest {
    private static final String MISMATCH = "EDL_TLS must be equal at both ends, for example EDL_TLS=token";

    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());

    @AfterEach
    void close() {
        loopback.close();
    }

    private static ChannelSecurity token() {
        return ChannelSecurity.token(new SecureRandom());
    }

    /** Returns the address of a server with this encryption. */
    private InetSocketAddress server(ChannelSecurity security) {
        ServedShard served =
                new ServedShard(Loopback.RUN, 0, 1, loopback.contents, loopback.tables, loopback.handshake(security));
        ShardServer server = loopback.listen(served, new ManualTimers());
        server.place(loopback.shards.get(0));
        return server.address();
    }

    private RemoteShards worker(ChannelSecurity security, InetSocketAddress address) {
        ShardClientConfig config = new ShardClientConfig(
                Loopback.RUN,
                "w",
                loopback.contents,
                loopback.tables,
                Duration.ofMillis(1),
                loopback.handshake(security),
                new ManualTimers());
        return loopback.worker(config, List.of(address));
    }

    private static void pull(RemoteShards worker) throws InterruptedException {
        worker.pull(new float[4], List.of(), new WeightVersions(1));
    }

    private static void fails(RemoteShards worker, String reason) {
        assertThatThrownBy(() -> pull(worker))
                .isInstanceOf(ShardTimeoutException.class)
                .cause()
                .hasMessageContaining(reason);
    }

    @Test
    void relay_that_ends_tls_on_both_sides_gets_nothing() throws Exception {
        InetSocketAddress server = server(token());
        ChannelSecurity worker = token();
        RemoteShards direct = worker(worker, server);
        pull(direct);
        try (TlsRelay relay = new TlsRelay(server)) {
            fails(worker(worker, relay.address()), "failed to authenticate with this job's token");
        }
        assertThat(direct.missing()).isEqualTo(-1);
    }

    @Test
    void worker_without_tls_gets_the_reason() {
        fails(worker(ChannelSecurity.plain(), server(token())), MISMATCH);
    }

    @Test
    void server_without_tls_gets_the_reason_and_sends_it() {
        fails(worker(token(), server(ChannelSecurity.plain())), MISMATCH);
    }
}
