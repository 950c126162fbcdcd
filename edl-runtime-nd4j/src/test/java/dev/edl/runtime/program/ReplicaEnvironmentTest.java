package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ReplicaEnvironmentTest {
    private static InetSocketAddress own(String name) throws Exception {
        return ReplicaEnvironment.own(InetSocketAddress.createUnresolved(name, 50001));
    }

    @Test
    void a_replica_listens_on_its_machines_address_while_its_name_is_unresolvable() throws Exception {
        InetSocketAddress own = own("not-yet.invalid");

        assertThat(own).isEqualTo(new InetSocketAddress(InetAddress.getLocalHost(), 50001));
        assertThat(own.getAddress().isAnyLocalAddress()).isFalse();
    }

    @Test
    void a_replica_that_is_reached_by_loopback_listens_there() throws Exception {
        assertThat(own("127.0.0.1")).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 50001));
    }

    @Test
    void a_replica_never_listens_on_all_addresses() throws Exception {
        assertThat(own("0.0.0.0").getAddress().isAnyLocalAddress()).isFalse();
    }
}
