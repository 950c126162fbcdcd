package dev.edl.env;

import dev.edl.plan.ReplicaPlan;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * MXNet's {@code DMLC_*} variables: the scheduler's address, the numbers of servers and workers, and the replica's
 * role. Immutable.
 *
 * @param rootUri host of the scheduler, a name, or an IPv4 or IPv6 address; empty if the job has no scheduler
 * @param rootPort port of the scheduler, 0 to 65535
 * @param servers number of servers, at least 0
 * @param workers number of workers, at least 0
 * @param role the replica's role in lower-case letters: scheduler, server, worker, or a role of MXJob's tuning
 * @param useKubernetes whether {@code DMLC_USE_KUBERNETES=1} is set: the scheduler then binds to all addresses and
 *     advertises its name. Otherwise, ps-lite fails with "bind failed" if {@code rootUri} is a name
 * @param nodeHost address that this replica advertises ({@code DMLC_NODE_HOST}); if empty, it advertises its first
 *     non-loopback address
 * @param workerId index of the worker, which BytePS reads ({@code DMLC_WORKER_ID}); empty if the variable is not set
 * @see <a href="https://mxnet.apache.org/versions/1.9.1/api/faq/distributed_training">MXNet: distributed training</a>
 */
public record DmlcEnv(
        String rootUri,
        int rootPort,
        int servers,
        int workers,
        String role,
        boolean useKubernetes,
        Optional<String> nodeHost,
        OptionalInt workerId) {
    private static final String URI = "DMLC_PS_ROOT_URI";
    private static final String PORT = "DMLC_PS_ROOT_PORT";
    private static final String SERVERS = "DMLC_NUM_SERVER";
    private static final String WORKERS = "DMLC_NUM_WORKER";
    private static final String ROLE = "DMLC_ROLE";
    private static final String KUBERNETES = "DMLC_USE_KUBERNETES";
    private static final String NODE_HOST = "DMLC_NODE_HOST";
    private static final String WORKER_ID = "DMLC_WORKER_ID";

    /**
     * Checks numbers and texts.
     *
     * @throws IllegalArgumentException if one is not as above
     */
    public DmlcEnv {
        EnvReader.number(PORT, rootPort, 0, 65535);
        EnvReader.number(SERVERS, servers, 0, Integer.MAX_VALUE);
        EnvReader.number(WORKERS, workers, 0, Integer.MAX_VALUE);
        if (!rootUri.isEmpty()) {
            EnvReader.hostOrIpv6(URI, rootUri);
        }
        if (!role.matches("[a-z]+")) {
            throw new IllegalArgumentException(
                    ROLE + " must be a role in lower-case letters, was \"" + role + "\"; for example worker");
        }
        nodeHost.ifPresent(host -> EnvReader.hostOrIpv6(NODE_HOST, host));
        workerId.ifPresent(id -> EnvReader.number(WORKER_ID, id, 0, Integer.MAX_VALUE));
    }

    /** Returns the variables in the order of Kubeflow's operator. */
    public Map<String, String> variables() {
        Map<String, String> env = new LinkedHashMap<>();
        env.put(PORT, Integer.toString(rootPort));
        env.put(URI, rootUri);
        env.put(SERVERS, Integer.toString(servers));
        env.put(WORKERS, Integer.toString(workers));
        env.put(ROLE, role);
        if (useKubernetes) {
            env.put(KUBERNETES, "1");
        }
        workerId.ifPresent(id -> env.put(WORKER_ID, Integer.toString(id)));
        nodeHost.ifPresent(host -> env.put(NODE_HOST, host));
        return Collections.unmodifiableMap(env);
    }

    /** Returns the {@code DMLC_*} variables that a plan gives to a replica; empty if the replica has none. */
    public static Optional<DmlcEnv> of(ReplicaPlan replica) {
        return Optional.of(replica.env()).filter(env -> env.containsKey(ROLE)).map(DmlcEnv::parse);
    }

    /**
     * Parses the {@code DMLC_*} variables. A number may have blanks, a plus sign and leading zeros, as MXNet accepts
     * them.
     *
     * @param env variables of a process; those without a meaning here are ignored
     * @throws IllegalArgumentException when a variable is missing or has a value that MXNet does not accept
     */
    public static DmlcEnv parse(Map<String, String> env) {
        Map<String, String> plain = new HashMap<>(env);
        for (String number : List.of(PORT, SERVERS, WORKERS, WORKER_ID)) {
            plain.computeIfPresent(number, (name, text) -> EnvReader.plainNumber(text));
        }
        EnvReader reader = new EnvReader(plain);
        return new DmlcEnv(
                reader.required(URI, "myjob-scheduler-0"),
                reader.number(PORT, 9091),
                reader.number(SERVERS, 2),
                reader.number(WORKERS, 4),
                reader.required(ROLE, "worker"),
                reader.flag(KUBERNETES),
                reader.optional(NODE_HOST),
                reader.optionalNumber(WORKER_ID));
    }

    /** Returns {@code worker of 4 with 2 servers at myjob-scheduler-0:9091}. */
    @Override
    public String toString() {
        return role + " of " + workers + " with " + servers + " servers at " + rootUri + ":" + rootPort;
    }
}
