package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVersion.JULY_2020;
import static dev.edl.elasticdl.ElasticDlVersion.MARCH_2020;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.internal.text.MessageText;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Creates a job from a command's flags; ignores flags that are not settings of a job. */
final class ElasticDlJobReader {
    private final ElasticDlVersion version;
    private final ElasticDlVerb verb;
    private final Map<String, String> given;
    private final Consumer<String> problems;
    private final List<String> losses;

    ElasticDlJobReader(
            ElasticDlVersion version,
            ElasticDlVerb verb,
            Map<String, String> given,
            Consumer<String> problems,
            List<String> losses) {
        this.version = version;
        this.verb = verb;
        this.given = given;
        this.problems = problems;
        this.losses = losses;
    }

    JobBuilder read() {
        JobBuilder job = Job.builder().name(value("job_name")).namespace(value("namespace"));
        text("image_name", job::image);
        text("volume", this::volumes);
        text("volume", job::volume);
        text("envs", envs -> ElasticDlEnvs.read(envs, problems).forEach(job::env));
        job.master(master -> role(master, "master"));
        int ps = Integer.parseInt(value("num_ps_pods"));
        if (ps > 0) {
            job.ps(ps, role -> {
                role(role, "ps");
                text("ps_image", role::image);
                number("ps_relaunch_max_num", role::relaunchLimit);
                command(role);
            });
        }
        job.workers(Integer.parseInt(value("num_workers")), role -> {
            role(role, "worker");
            text("worker_image", role::image);
            number("relaunch_on_worker_failure", role::relaunchLimit);
            command(role);
        });
        return job;
    }

    private void role(RoleBuilder role, String word) {
        text(word + "_resource_request", role::request);
        text(word + "_resource_limit", limit -> limit(role, word, limit));
        text(word + "_pod_priority", priority -> priority(role, word, priority));
    }

    /**
     * Sets a role's limits. Adds a message to {@link ElasticDlCommand#losses} for each requested resource without a
     * limit: ElasticDL leaves it unlimited, while the job limits it to the request.
     */
    private void limit(RoleBuilder role, String word, String text) {
        Resources limits = Resources.parse(text);
        Map<String, String> asked =
                new TreeMap<>(Resources.parse(value(word + "_resource_request")).amounts());
        asked.values().removeIf("0"::equals);
        role.limit(limits.over(new Resources(asked)));
        asked.forEach((name, amount) -> {
            if (!limits.amounts().containsKey(name)) {
                losses.add("--" + word + "_resource_limit=" + text + ": ElasticDL leaves " + name
                        + " without a limit, the job limits it to the " + amount + " of its request");
            }
        });
    }

    private void priority(RoleBuilder role, String word, String text) {
        String flag = "--" + word + "_pod_priority";
        Priority priority;
        try {
            priority = word.equals("worker") ? Priority.parse(text) : Priority.of(text);
        } catch (IllegalArgumentException e) {
            problems.accept(flag + ": " + e.getMessage());
            return;
        }
        String wrong = word.equals("worker") ? workers(version, priority) : "";
        if (wrong.isEmpty()) {
            role.priority(priority);
        } else {
            problems.accept(flag + " " + wrong + ", was \"" + text + "\"");
        }
    }

    /**
     * Returns the rule of an ElasticDL version that a priority of workers breaks, as part of a message; empty if it
     * breaks none.
     */
    static String workers(ElasticDlVersion version, Priority priority) {
        boolean leading = priority.isFraction() && priority.toString().startsWith("high=");
        boolean known = priority.equals(Priority.HIGH) || priority.equals(Priority.LOW);
        if (version == MARCH_2020 && priority.isFraction()) {
            return "must be the name of a PriorityClass in " + version + ", which has no fractions";
        }
        if (version == JULY_2020 && priority.isFraction() && !leading) {
            return "must give a fraction as high=0.5 in " + version;
        }
        return version == RELEASE_1_0 && (leading || (!priority.isFraction() && !known))
                ? "must be high, low or a fraction such as 0.5 in " + version
                : "";
    }

    private void volumes(String text) {
        if (text.matches("(?s).*\\bread_only\\s*=.*")) {
            problems.accept("--volume must leave out read_only, which ElasticDL does not support, was "
                    + MessageText.quoted(text));
        }
    }

    private void command(RoleBuilder role) {
        text("job_command", command -> role.command("/bin/bash", "-c", command));
    }

    private void number(String name, IntConsumer setting) {
        if (given.containsKey(name)) {
            setting.accept(Integer.parseInt(value(name)));
        }
    }

    private void text(String name, Consumer<String> setting) {
        String value = value(name);
        if (!value.isEmpty()) {
            setting.accept(value);
        }
    }

    /** Returns the specified value, or the version's default; empty if the version does not have the flag. */
    private String value(String name) {
        String value = given.get(name);
        return value != null
                ? value
                : ElasticDlFlags.find(version, verb, name)
                        .flatMap(flag -> flag.fallback(version, verb))
                        .orElse("");
    }
}
