package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.ReplicaPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What EDL's own runtime reads. Immutable.
 *
 * <p>{@code MASTER_ADDR}, {@code WORKER_ID} and {@code WORKER_NUM} are ElasticDL's variables; {@code PS_ADDRS} carries what
 * ElasticDL passes as the flag {@code --ps_addrs}; {@code JOB_NAME} and {@code EDL_*} name job, run, role and place.
 *
 * @param job the job's name
 * @param runId the run
 * @param role the replica's role
 * @param index its place within the role, kept through relaunches
 * @param master the master's address, {@code host:port}
 * @param ps the addresses of the parameter servers, by index
 * @param workers number of workers at the start
 * @param workerId a worker's id, which no other worker of the run has had
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

    /** Copies and checks. */
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

    /** The variables, sorted by name. */
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

    /** What the plan gives a replica; empty for one without {@code EDL_*}. */
    public static Optional<ElasticDlEnv> of(ReplicaPlan replica) {
        return Optional.of(replica.env()).filter(env -> env.containsKey(ROLE)).map(ElasticDlEnv::parse);
    }

    /**
     * Reads the variables back.
     *
     * @param env an environment; variables of other names are not looked at
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

    /** The variables as they are written in a shell. */
    @Override
    public String toString() {
        return EnvReader.shell(variables());
    }
}
