package dev.edl.exec.local;

import dev.edl.exec.LogLine;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.spec.RoleTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Starts the processes of one job's replicas, with their commands, environments and logs. */
final class LocalReplicaLauncher {
    private final JobPlan plan;
    private final ProcessSupervisor supervisor;
    private final LocalExecutorBuilder options;
    private final String mark;
    private final LogFiles files;
    private final LogListeners listeners;

    /**
     * Creates the launch of a job.
     *
     * @param options the settings of the executor
     * @param mark a prefix, unique on this machine, of the marks by which the supervisor finds the processes of this
     *     job's replicas
     */
    LocalReplicaLauncher(JobPlan plan, ProcessSupervisor supervisor, LocalExecutorBuilder options, String mark) {
        this.plan = plan;
        this.supervisor = supervisor;
        this.options = options;
        this.mark = mark;
        this.files = new LogFiles(options.logs);
        this.listeners = new LogListeners(options.readers);
    }

    Duration grace() {
        return options.grace;
    }

    LogFiles files() {
        return files;
    }

    /**
     * Starts a replica's process, and passes its output to its log file and the log readers.
     *
     * @param attempt a number that no other start of a replica of this job has
     */
    void start(LocalReplica replica, long attempt) throws IOException {
        ReplicaPlan what = replica.plan();
        replica.start(
                process(what, attempt),
                files.open(what.name()),
                line -> listeners.tell(new LogLine(plan.name(), replica.shortName(), line)));
    }

    /**
     * Returns the process of a replica, ready to start.
     *
     * @param attempt a number that no other start of a replica of this job has
     */
    ProcessBuilder process(ReplicaPlan replica, long attempt) {
        Map<String, String> env = environment(replica);
        // The dot terminates it: no mark is the prefix of another one.
        ProcessBuilder process =
                supervisor.process(replica.name(), options.grace, mark + "-" + attempt + ".", env, command(replica));
        options.directoryOf(replica.role()).ifPresent(directory -> process.directory(directory.toFile()));
        return process;
    }

    private List<String> command(ReplicaPlan replica) {
        RoleTemplate template = plan.role(replica.role().id()).template();
        return Stream.concat(template.command().stream(), template.args().stream())
                .toList();
    }

    private Map<String, String> environment(ReplicaPlan replica) {
        Map<String, String> env = new TreeMap<>(options.environment);
        env.putAll(options.secrets()
                .values(plan.role(replica.role().id()).template().secretEnv()));
        env.putAll(replica.env());
        return env;
    }
}
