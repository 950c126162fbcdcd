package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.spec.RoleType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
    /** Returns a free port whose successor is free too. */
    private static int twoFreePorts() {
        // Another run of this test on the same machine starts elsewhere; below Linux's ephemeral ports.
        for (int port = 20_000 + (int) (ProcessHandle.current().pid() % 5_000) * 2; port < 32_000; port += 2) {
            Optional<PortReservation> first = PortReservation.of(port);
            Optional<PortReservation> second = PortReservation.of(port + 1);
            first.ifPresent(PortReservation::close);
            second.ifPresent(PortReservation::close);
            if (first.isPresent() && second.isPresent()) {
                return port;
            }
        }
        throw new AssertionError("no two neighbouring ports are free");
    }

    @Test
    void an_address_is_stable_and_its_port_exclusive_until_released() {
        int port = twoFreePorts();
        LoopbackPorts ports = new LoopbackPorts(port, port + 1, 0);
        LoopbackPorts.JobAddresses first = ports.addresses("one");
        LoopbackPorts.JobAddresses second = ports.addresses("two");

        int given = first.of(RoleType.PS, 0).port();

        assertThat(first.of(RoleType.PS, 0).port()).isEqualTo(given);
        assertThat(second.of(RoleType.PS, 0).port()).isBetween(port, port + 1).isNotEqualTo(given);
        assertThatThrownBy(() -> second.of(RoleType.WORKER, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"two\": no port is free for worker-3 on 127.0.0.1 between " + port + " and "
                        + (port + 1) + "; give a larger range, for example .ports(20000, 32000)");
        first.free();
        assertThat(second.of(RoleType.WORKER, 3).address()).isEqualTo("127.0.0.1:" + given);
        second.free();
    }

    @Test
    void ports_that_were_given_back_are_not_given_back_again() {
        int port = twoFreePorts();
        LoopbackPorts ports = new LoopbackPorts(port, port, 0);
        LoopbackPorts.JobAddresses first = ports.addresses("one");
        first.of(RoleType.PS, 0);
        first.free();
        LoopbackPorts.JobAddresses second = ports.addresses("two");
        second.of(RoleType.PS, 0);

        first.free();

        assertThatThrownBy(() -> ports.addresses("three").of(RoleType.PS, 0)).isInstanceOf(IllegalStateException.class);
        second.free();
        assertThat(first.of(RoleType.PS, 1).port()).isEqualTo(port);
        LoopbackPorts.JobAddresses fourth = ports.addresses("four");
        assertThat(fourth.of(RoleType.PS, 0).port()).isEqualTo(port);
        fourth.free();
    }

    @Test
    void two_executors_do_not_reserve_the_same_port() {
        int port = twoFreePorts();

        LoopbackPorts.JobAddresses one = new LoopbackPorts(port, port + 1, 0).addresses("one");
        LoopbackPorts.JobAddresses other = new LoopbackPorts(port, port + 1, 0).addresses("other");

        assertThat(one.of(RoleType.PS, 0).port())
                .isNotEqualTo(other.of(RoleType.PS, 0).port());
        one.free();
        other.free();
    }

    @Test
    void a_port_with_a_listener_is_skipped() throws IOException {
        int port = twoFreePorts();
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            LoopbackPorts ports = new LoopbackPorts(taken.getLocalPort(), port + 1, 0);

            LoopbackPorts.JobAddresses place = ports.addresses("one");
            assertThat(place.of(RoleType.MASTER, 0).port()).isEqualTo(port + 1);
            place.free();
        }
    }
}
