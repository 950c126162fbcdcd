package dev.edl.exec.local;

import dev.edl.RoleType;
import dev.edl.plan.Addresses;
import dev.edl.plan.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gives each replica a port on loopback that nobody listened on a moment ago, and no port twice while it is in use.
 *
 * <p>The ports lie below those that systems give to outgoing connections (from 32768 on Linux, from 49152 on macOS), or a
 * client of the job could take one before its server is up. Thread-safe.
 */
final class LoopbackPorts {
    static final String HOST = "127.0.0.1";

    private final int first;
    private final int last;
    private final Set<Integer> taken = new HashSet<>();
    private int next;

    /**
     * Ports of a range.
     *
     * @param start any number; programs that begin at different places of the range seldom want the same port
     */
    LoopbackPorts(int first, int last, long start) {
        this.first = first;
        this.last = last;
        this.next = first + (int) Math.floorMod(start, (long) last - first + 1);
    }

    /** The addresses of one job; each is chosen when it is asked for first, and stays. */
    Place addresses(String job) {
        return new Place(job);
    }

    private synchronized int take(String job, String replica) {
        for (int tried = first; tried <= last; tried++) {
            int port = next;
            next = port == last ? first : port + 1;
            if (!taken.contains(port) && free(port)) {
                taken.add(port);
                return port;
            }
        }
        throw new IllegalStateException("job \"" + job + "\": no port is free for " + replica + " on " + HOST
                + " between " + first + " and " + last + "; give a larger range, for example .ports(20000, 32000)");
    }

    private static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return probe.isBound();
        } catch (IOException e) {
            // Somebody has it, or this user may not.
            return false;
        }
    }

    private synchronized void giveBack(Set<Integer> ports) {
        taken.removeAll(ports);
    }

    /** Where the replicas of one job are reached. */
    final class Place implements Addresses {
        private final String job;
        private final Map<String, Endpoint> endpoints = new HashMap<>();

        private Place(String job) {
            this.job = job;
        }

        @Override
        public synchronized Endpoint of(RoleType role, int index) {
            return endpoints.computeIfAbsent(
                    role + "-" + index, replica -> new Endpoint(role, index, HOST, take(job, replica)));
        }

        /** The job needs them no longer. */
        synchronized void free() {
            Set<Integer> ports = new HashSet<>();
            endpoints.values().forEach(endpoint -> ports.add(endpoint.port()));
            giveBack(ports);
        }
    }
}
