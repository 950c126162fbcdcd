package dev.edl.env;

import dev.edl.plan.ReplicaPlan;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Environment variables of EDL's own runtime. Immutable.
 *
 * <p>{@code MASTER_ADDR}, {@code WORKER_ID} and {@code WORKER_NUM} are ElasticDL's variables. {@code PS_ADDRS} holds
 * the value of ElasticDL's flag {@code --ps_addrs}. {@code JOB_NAME} and {@code EDL_*} hold the job's name, the id of
 * the run, and the replica's role and index.
 *
 * @param job the job's name
 * @param runId id of this run of the job
 * @param role the replica's role
 * @param index index of the replica within its role; a relaunched replica keeps it
 * @param master address of the master, {@code host:port}; empty if the job has none
 * @param ps addresses of the parameter servers in the order of their indexes, {@code host:port}
 * @param workers number of workers at the start; empty if the job has none
 * @param workerId id of the worker, unique within the run, so that a relaunched worker has another; empty for other
 *     roles
 */
public record ElasticDlEnv(
        String job,
        String runId,
        RoleType role,
        int index,
        Optional<String> master,
        List<String> ps,
        OptionalInt workers,
        OptionalInt workerId) {
    private static final String JOB = "JOB_NAME";
    private static final String RUN = "EDL_RUN_ID";
    private static final String ROLE = "EDL_ROLE";
    private static final String INDEX = "EDL_INDEX";
    private static final String MASTER = "MASTER_ADDR";
    private static final String PS = "PS_ADDRS";
    private static final String WORKERS = "WORKER_NUM";
    private static final String WORKER = "WORKER_ID";

    /**
     * Copies the addresses; checks names, numbers and addresses.
     *
     * @throws IllegalArgumentException if one is not as above
     */
    public ElasticDlEnv {
        EnvReader.checkWord(JOB, job);
        EnvReader.checkWord(RUN, runId);
        EnvReader.number(INDEX, index, 0, Integer.MAX_VALUE);
        master.ifPresent(address -> EnvReader.checkAddress(MASTER, address));
        ps = List.copyOf(ps);
        ps.forEach(address -> EnvReader.checkAddress("each address of " + PS, address));
        workers.ifPresent(number -> EnvReader.number(WORKERS, number, 1, Integer.MAX_VALUE));
        workerId.ifPresent(id -> EnvReader.number(WORKER, id, 0, Integer.MAX_VALUE));
    }

    /** Returns the variables, sorted by name. */
    public Map<String, String> variables() {
        Map<String, String> env = new TreeMap<>();
        env.put(JOB, job);
        env.put(RUN, runId);
        env.put(ROLE, role.id());
        env.put(INDEX, Integer.toString(index));
        master.ifPresent(address -> env.put(MASTER, address));
        if (!ps.isEmpty()) {
            env.put(PS, String.join(",", ps));
        }
        workers.ifPresent(number -> env.put(WORKERS, Integer.toString(number)));
        workerId.ifPresent(id -> env.put(WORKER, Integer.toString(id)));
        return env;
    }

    /** Returns the variables of EDL's runtime that a plan gives to a replica; empty if the replica has none. */
    public static Optional<ElasticDlEnv> of(ReplicaPlan replica) {
        return Optional.of(replica.env()).filter(env -> env.containsKey(ROLE)).map(ElasticDlEnv::parse);
    }

    /**
     * Parses the variables of EDL's runtime.
     *
     * @param env variables of a process; others than those of this runtime are ignored
     * @throws IllegalArgumentException when a variable is missing or has a wrong value
     */
    public static ElasticDlEnv parse(Map<String, String> env) {
        EnvReader reader = new EnvReader(env);
        return new ElasticDlEnv(
                reader.required(JOB, "test-mnist"),
                reader.required(RUN, "run-1"),
                role(reader.required(ROLE, "worker")),
                reader.number(INDEX, 0),
                reader.optional(MASTER),
                reader.optional(PS)
                        .map(addresses -> List.of(addresses.split(",", -1)))
                        .orElse(List.of()),
                reader.optionalNumber(WORKERS),
                reader.optionalNumber(WORKER));
    }

    private static RoleType role(String word) {
        try {
            return RoleType.of(word);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ROLE + ": " + e.getMessage(), e);
        }
    }

    /** Returns the variables as shell assignments. */
    @Override
    public String toString() {
        return EnvReader.shell(variables());
    }
}
