package dev.edl.plan;

import dev.edl.RoleType;

/**
 * Where a replica is reached. It belongs to the index, not to the id: the replica that takes over for another keeps
 * its address.
 *
 * @param role the role
 * @param index place within the role, from 0
 * @param host service name within the cluster, {@code elasticdl-mnist-ps-0.default.svc}
 * @param port 1 to 65535
 */
public record Endpoint(RoleType role, int index, String host, int port) {
    /** {@code host:port}. */
    public String address() {
        return host + ":" + port;
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return address();
    }
}
