package dev.edl.plan;

import dev.edl.RoleType;

/**
 * Where a replica is reached. It belongs to the index, not to the id: the replica that takes over for another keeps
 * its address.
 *
 * @param role the role
 * @param index place within the role, from 0
 * @param host service name within the cluster, {@code elasticdl-mnist-ps-0.default.svc}, or an address of IPv4 or IPv6, the
 *     latter without brackets
 * @param port 1 to 65535
 */
public record Endpoint(RoleType role, int index, String host, int port) {
    /** Checks host and port. */
    public Endpoint {
        if (!host.matches("[^\\s\\[\\]/]+")) {
            throw new IllegalArgumentException(role + " " + index + ": a host must be a name or an address, without"
                    + " brackets, was \"" + host + "\"; for example 127.0.0.1");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    role + " " + index + ": a port must be from 1 to 65535, was " + port + "; for example 2222");
        }
    }

    /** {@code host:port}; {@code [host]:port} for an address of IPv6. */
    public String address() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return address();
    }
}
