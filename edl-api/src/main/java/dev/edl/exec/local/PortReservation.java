package dev.edl.exec.local;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reservation of one loopback port for one replica.
 *
 * <p>The TCP port itself must stay free for the replica, so the reservation holds the UDP port of the same number.
 * Another executor, in this JVM or another one, finds the UDP port taken and skips that number, even before the replica
 * listens.
 */
final class PortReservation implements AutoCloseable {
    private final DatagramSocket held;

    private PortReservation(DatagramSocket held) {
        this.held = held;
    }

    /**
     * Reserves a port. Returns empty if another executor has reserved it, another process listens on it, or this user
     * may not bind it.
     */
    static Optional<PortReservation> of(int port) {
        @Nullable DatagramSocket held = null;
        try {
            held = new DatagramSocket(new InetSocketAddress(loopback(), port));
            if (free(port)) {
                PortReservation reservation = new PortReservation(held);
                held = null;
                return Optional.of(reservation);
            }
            return Optional.empty();
        } catch (IOException e) {
            // Another executor has reserved it.
            return Optional.empty();
        } finally {
            if (held != null) {
                held.close();
            }
        }
    }

    /** Returns whether a replica could listen on a port; false if a process does, or this user may not bind it. */
    static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(loopback(), port));
            return probe.isBound();
        } catch (IOException e) {
            // Another process has it, or this user may not bind it.
            return false;
        }
    }

    private static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    @Override
    public void close() {
        held.close();
    }
}
