package dev.edl.plan;

import dev.edl.spec.RoleType;

/**
 * Network address of the replica with a given index in a role. A relaunched replica has its predecessor's address, even
 * if its id differs.
 *
 * @param role the replica's role
 * @param index the replica's index within the role, from 0
 * @param host service name within the cluster, {@code elasticdl-mnist-ps-0.default.svc}, or an IPv4 or IPv6 address
 *     without brackets
 * @param port port number from 1 to 65535
 */
public record Endpoint(RoleType role, int index, String host, int port) {
    /** Checks that the host has no brackets, slashes or white space, and that the port is from 1 to 65535. */
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

    /** Returns {@code host:port}, or {@code [host]:port} for an IPv6 address. */
    public String address() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Returns {@code host:port}. */
    @Override
    public String toString() {
        return address();
    }
}
