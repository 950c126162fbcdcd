package dev.edl.exec.local;

import dev.edl.plan.AddressResolver;
import dev.edl.plan.Endpoint;
import dev.edl.spec.RoleType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Allocates loopback ports to replicas. At its allocation, a port has no listener, and no other executor of this
 * machine has reserved it.
 *
 * <p>The range lies below the ephemeral ports of the system (from 32768 on Linux, from 49152 on macOS). Otherwise a
 * client of the job could take a port before its server listens. Thread-safe.
 */
final class LoopbackPorts {
    static final String HOST = "127.0.0.1";

    /** Longest wait for a connection to a replica. */
    private static final int CONNECT_MILLIS = 10_000;

    private final int first;
    private final int last;
    private final Map<Integer, PortReservation> reservations = new HashMap<>();
    private int next;

    /**
     * Creates an allocator for a range.
     *
     * @param start any number; it determines the first port that is tried, so that programs with different numbers
     *     rarely try the same port
     */
    LoopbackPorts(int first, int last, long start) {
        this.first = first;
        this.last = last;
        this.next = first + (int) Math.floorMod(start, (long) last - first + 1);
    }

    /**
     * Returns the addresses of one job. A replica's port is allocated when its address is first requested, and stays.
     */
    JobAddresses addresses(String job) {
        return new JobAddresses(job);
    }

    /**
     * Connects to a port of this machine on which a replica listens.
     *
     * @throws IllegalArgumentException when the port is not from 1 to 65535
     * @throws IOException when nothing listens on the port
     */
    static ByteChannel connect(String job, String replica, int port) throws IOException {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be from 1 to 65535, was " + port + "; for example 50001");
        }
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw new IOException(
                    "job \"" + job + "\": " + replica + " does not answer on " + HOST + ":" + port + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private synchronized int take(String job, String replica) {
        for (int tried = first; tried <= last; tried++) {
            int port = next;
            next = port == last ? first : port + 1;
            Optional<PortReservation> reservation =
                    reservations.containsKey(port) ? Optional.empty() : PortReservation.of(port);
            if (reservation.isPresent()) {
                reservations.put(port, reservation.get());
                return port;
            }
        }
        throw new IllegalStateException("job \"" + job + "\": no port is free for " + replica + " on " + HOST
                + " between " + first + " and " + last + "; give a larger range, for example .ports(20000, 32000)");
    }

    private synchronized void giveBack(int port) {
        PortReservation reservation = reservations.remove(port);
        if (reservation != null) {
            reservation.close();
        }
    }

    /** Addresses of the replicas of one job. */
    final class JobAddresses implements AddressResolver {
        private final String job;
        private final Map<String, Endpoint> endpoints = new HashMap<>();
        private boolean freed;

        private JobAddresses(String job) {
            this.job = job;
        }

        @Override
        public synchronized Endpoint of(RoleType role, int index) {
            return endpoints.computeIfAbsent(role.replica(index), replica -> {
                int port = take(job, replica);
                if (freed) {
                    // A caller that reads an ended job's plan gets an address without a reservation.
                    giveBack(port);
                }
                return new Endpoint(role, index, HOST, port);
            });
        }

        /**
         * Releases the ports of the job's replicas. A second call does nothing, since another job may have reserved the
         * ports by then.
         */
        synchronized void free() {
            if (!freed) {
                freed = true;
                endpoints.values().forEach(endpoint -> giveBack(endpoint.port()));
            }
        }
    }
}
