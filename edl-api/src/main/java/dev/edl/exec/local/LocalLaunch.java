package dev.edl.exec.local;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.spec.RoleTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How the replicas of one job are started. */
final class LocalLaunch {
    private final JobPlan plan;
    private final Supervisor supervisor;
    private final Duration grace;
    private final Map<String, String> inherited;
    private final String mark;
    private final LogFiles files;
    private final Listeners readers;

    /**
     * The launch of a job.
     *
     * @param inherited the variables that every process has, unless the plan says otherwise
     * @param mark the beginning of the marks of this job's processes, which nothing else on the machine has
     */
    LocalLaunch(
            JobPlan plan,
            Supervisor supervisor,
            Duration grace,
            Map<String, String> inherited,
            String mark,
            LogFiles files,
            Listeners readers) {
        this.plan = plan;
        this.supervisor = supervisor;
        this.grace = grace;
        this.inherited = Map.copyOf(inherited);
        this.mark = mark;
        this.files = files;
        this.readers = readers;
    }

    Duration grace() {
        return grace;
    }

    /** @param attempt a number that no other start of the job has */
    void start(LocalReplica replica, long attempt) throws IOException {
        ReplicaPlan what = replica.plan();
        RoleTemplate template = plan.role(what.role().id()).template();
        Map<String, String> env = environment(what);
        List<String> command = Stream.concat(template.command().stream(), template.args().stream())
                .map(word -> Expansion.of(word, env))
                .toList();
        // The dot ends it: no mark is the beginning of another.
        ProcessBuilder process = supervisor.process(what.name(), grace, mark + "-" + attempt + ".", env, command);
        replica.start(
                process,
                files.open(what.name()),
                line -> readers.tell(new LogLine(plan.name(), replica.shortName(), line)));
    }

    private Map<String, String> environment(ReplicaPlan replica) {
        Map<String, String> env = new TreeMap<>(inherited);
        env.putAll(replica.env());
        return env;
    }
}
