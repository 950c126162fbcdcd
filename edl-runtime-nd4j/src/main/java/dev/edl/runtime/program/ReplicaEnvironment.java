package dev.edl.runtime.program;

import dev.edl.env.ElasticDlEnv;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.program.TrainingProgram.UsageException;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Addresses and identity of one replica, read from its environment variables. */
final class ReplicaEnvironment {
    private final ElasticDlEnv env;
    private final JobToken token;
    private final ChannelSecurity security;

    ReplicaEnvironment(ElasticDlEnv env, Map<String, String> environment) throws IOException {
        this.env = env;
        try {
            this.token = JobToken.of(environment);
            this.security = ChannelSecurity.of(
                    environment.getOrDefault(ChannelSecurity.OPTION, ChannelSecurity.OFF),
                    new SecureRandom(),
                    System::nanoTime);
        } catch (IllegalArgumentException mistake) {
            throw new UsageException(ExceptionText.of(mistake));
        }
    }

    JobToken token() {
        return token;
    }

    /** Returns the encryption of all connections of the replica. */
    ChannelSecurity security() {
        return security;
    }

    String run() {
        return env.runId();
    }

    String job() {
        return env.job();
    }

    /** Returns the replica's context, with the unique name that the plan gives the replica. */
    ReplicaContext context() {
        int id = env.workerId().orElse(env.index());
        return new ReplicaContext("elasticdl-" + env.job() + "-" + env.role().replica(id), env.index());
    }

    InetSocketAddress master() {
        return address(
                "MASTER_ADDR",
                env.master()
                        .orElseThrow(() -> new UsageException(
                                "MASTER_ADDR is not set; it must be the master's host:port, for example"
                                        + " 10.0.0.7:50001")));
    }

    List<InetSocketAddress> servers() {
        if (env.ps().isEmpty()) {
            throw new UsageException("PS_ADDRS is not set; it must have host:port of each parameter server, for example"
                    + " 10.0.0.8:50002,10.0.0.9:50002");
        }
        return env.ps().stream().map(address -> address("PS_ADDRS", address)).toList();
    }

    /** Returns the number of parameter servers. */
    int shards() {
        return servers().size();
    }

    private static InetSocketAddress address(String variable, String text) {
        int colon = text.lastIndexOf(':');
        try {
            // The name is resolved at each use, because a replaced replica has another address.
            return InetSocketAddress.createUnresolved(
                    text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UsageException(variable + " must be host:port, was \"" + text + "\"");
        }
    }

    /** Resolves a host name. */
    static InetSocketAddress resolved(InetSocketAddress address) {
        return new InetSocketAddress(address.getHostString(), address.getPort());
    }

    /**
     * Returns the address to listen on for callers of an advertised address. It is the advertised address if that
     * belongs to this machine; otherwise, as for a cluster's Service, this machine's own address. Never the wildcard
     * address.
     */
    static InetSocketAddress own(InetSocketAddress advertised) throws IOException {
        InetAddress address;
        try {
            address = InetAddress.getByName(advertised.getHostString());
        } catch (UnknownHostException early) {
            // The name of a pod's Service may become resolvable only after the pod has an address.
            address = InetAddress.getLocalHost();
        }
        return new InetSocketAddress(
                isOfThisMachine(address) ? address : InetAddress.getLocalHost(), advertised.getPort());
    }

    private static boolean isOfThisMachine(InetAddress address) throws IOException {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    /**
     * Returns whether this process can listen for callers of an advertised address once its port is free. Ports below
     * 1024 may need a privilege, so they count as not bindable.
     */
    static boolean isBindable(InetSocketAddress advertised) {
        try {
            return advertised.getPort() >= 1024
                    && isOfThisMachine(own(advertised).getAddress());
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Throws if a training writes a history, which replicas in separate processes do not support. */
    static void check(Training training) {
        if (training.history().isPresent()) {
            throw new UsageException(
                    "a training over processes cannot write a history; remove .history(...), or train" + " in one JVM");
        }
    }
}
