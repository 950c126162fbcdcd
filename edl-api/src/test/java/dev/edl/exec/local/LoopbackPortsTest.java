package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.RoleType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
    /** A port that nobody has, and the one after it as well. */
    private static int twoFreePorts() throws IOException {
        for (int port = 40_000; port < 60_000; port += 2) {
            try (ServerSocket first = new ServerSocket(port);
                    ServerSocket second = new ServerSocket(port + 1)) {
                return Math.min(first.getLocalPort(), second.getLocalPort());
            } catch (IOException taken) {
                assertThat(taken).hasMessageContaining("in use");
            }
        }
        throw new AssertionError("no two neighbouring ports are free");
    }

    @Test
    void an_address_stays_and_no_port_is_given_twice_until_its_job_gives_it_back() throws IOException {
        int port = twoFreePorts();
        LoopbackPorts ports = new LoopbackPorts(port, port + 1, 0);
        LoopbackPorts.Place first = ports.addresses("one");
        LoopbackPorts.Place second = ports.addresses("two");

        int given = first.of(RoleType.PS, 0).port();

        assertThat(first.of(RoleType.PS, 0).port()).isEqualTo(given);
        assertThat(second.of(RoleType.PS, 0).port()).isBetween(port, port + 1).isNotEqualTo(given);
        assertThatThrownBy(() -> second.of(RoleType.WORKER, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"two\": no port is free for worker-3 on 127.0.0.1 between " + port + " and "
                        + (port + 1) + "; give a larger range, for example .ports(20000, 32000)");
        first.free();
        assertThat(second.of(RoleType.WORKER, 3).address()).isEqualTo("127.0.0.1:" + given);
    }

    @Test
    void a_port_on_which_somebody_listens_is_passed_over() throws IOException {
        int port = twoFreePorts();
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            LoopbackPorts ports = new LoopbackPorts(taken.getLocalPort(), port + 1, 0);

            assertThat(ports.addresses("one").of(RoleType.MASTER, 0).port()).isEqualTo(port + 1);
        }
    }
}
