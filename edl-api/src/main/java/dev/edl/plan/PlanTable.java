package dev.edl.plan;

import dev.edl.spec.Backoff;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SensitiveArguments;
import dev.edl.spec.SensitiveEnv;
import dev.edl.spec.Volume;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Table of a plan for people: the job, its roles, their addresses, and the environment of one replica. */
final class PlanTable {
    /**
     * Maximum number of characters that the table shows of a variable's value: the length of a TF_CONFIG with about
     * twenty addresses.
     */
    private static final int LONGEST_VALUE = 1000;

    private static final Pattern PLAIN_WORD = Pattern.compile("[\\w@%+=:,./-]+");

    private PlanTable() {}

    static String of(JobPlan plan) {
        StringBuilder out = new StringBuilder();
        out.append("Job ").append(plan.name()).append('\n');
        out.append(TextTable.of(header(plan), "  ")).append('\n');
        out.append(TextTable.of(roles(plan), "")).append('\n');
        section(out, "Endpoints", endpoints(plan));
        section(out, "Command", commands(plan));
        example(plan)
                .ifPresent(shown -> section(
                        out,
                        "Environment of " + shown.name(),
                        env(plan.role(shown.role().id()), shown)));
        return out.substring(0, out.length() - 1);
    }

    private static void section(StringBuilder out, String title, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            out.append(title).append('\n').append(TextTable.of(rows, "  ")).append('\n');
        }
    }

    private static List<List<String>> header(JobPlan plan) {
        RunPolicy policy = plan.policy();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("run", plan.runId()));
        rows.add(List.of("namespace", plan.namespace()));
        rows.add(List.of(
                "framework",
                plan.framework() + plan.frameworkVersion().map(v -> " " + v).orElse("") + ", profile "
                        + plan.profile()));
        rows.add(List.of(
                "success",
                switch (plan.success()) {
                    case LEADER ->
                        "when the leader succeeds: "
                                + plan.replicaName(plan.leader().type(), 0);
                    case ALL_WORKERS -> "when every worker has succeeded";
                }));
        rows.add(List.of(
                "cleanup",
                switch (policy.cleanup()) {
                            case NONE -> "none";
                            case RUNNING -> "replicas that still run";
                            case ALL -> "all replicas";
                        }
                        + policy.ttl()
                                .map(ttl -> ", all of it " + describe(ttl) + " after the end")
                                .orElse("")));
        policy.deadline().ifPresent(d -> rows.add(List.of("deadline", describe(d))));
        Backoff backoff = policy.backoff();
        if (!backoff.max().isZero()) {
            rows.add(List.of(
                    "backoff",
                    describe(backoff.initial()) + ", then times " + number(backoff.factor()) + ", at most "
                            + describe(backoff.max())));
        }
        return rows;
    }

    private static String describe(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String number(double factor) {
        return factor == Math.rint(factor) ? Long.toString((long) factor) : Double.toString(factor);
    }

    private static List<List<String>> roles(JobPlan plan) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ROLE", "REPLICAS", "PRIORITY", "REQUESTS", "IMAGE", "PORT", "VOLUMES"));
        for (RolePlan role : plan.roles()) {
            rows.add(List.of(
                    role.type().id(),
                    role.replicas() + (role.elastic() ? " (" + role.bounds() + ")" : ""),
                    role.template().priority().map(Object::toString).orElse("-"),
                    role.template().requests().map(r -> pairs(r.amounts())).orElse("-"),
                    role.template().image().orElse("-"),
                    Integer.toString(role.port()),
                    volumes(role.template().volumes())));
        }
        return rows;
    }

    private static String pairs(Map<String, String> amounts) {
        return amounts.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(","));
    }

    private static String volumes(List<Volume> volumes) {
        return volumes.isEmpty() ? "-" : volumes.stream().map(PlanYaml::volume).collect(Collectors.joining(", "));
    }

    private static List<List<String>> endpoints(JobPlan plan) {
        List<List<String>> rows = new ArrayList<>();
        for (RolePlan role : plan.roles()) {
            String first = plan.endpoint(role, 0).address();
            String last = role.replicas() == 1
                    ? ""
                    : "  to  " + plan.endpoint(role, role.replicas() - 1).address();
            rows.add(List.of(role.type().id(), first + last));
        }
        return rows;
    }

    /**
     * Returns a row with the command for each role that sets a command or arguments. The image's own command is
     * unknown.
     */
    private static List<List<String>> commands(JobPlan plan) {
        List<List<String>> rows = new ArrayList<>();
        for (RolePlan role : plan.roles()) {
            List<String> command = role.template().command();
            List<String> args = role.template().args();
            if (!command.isEmpty() || !args.isEmpty()) {
                Stream<String> words =
                        SensitiveArguments.shown(Stream.concat(command.stream(), args.stream())
                                        .toList())
                                .stream()
                                .map(PlanTable::word);
                rows.add(List.of(
                        role.type().id(),
                        (command.isEmpty() ? "(the image's entry point) " : "")
                                + words.collect(Collectors.joining(" "))));
            }
        }
        return rows;
    }

    /** Returns the word quoted for a shell, on one line. */
    private static String word(String word) {
        String line = word.replace("\n", "\\n");
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + line.replace("'", "'\\''") + "'";
    }

    /**
     * Returns the replica whose environment the table shows: the first worker, whose environment is the most
     * informative, otherwise the leader. Empty if neither has environment variables.
     */
    private static Optional<ReplicaPlan> example(JobPlan plan) {
        return Stream.concat(plan.role(RoleType.WORKER).stream(), Stream.of(plan.leader()))
                .map(role -> plan.replica(role.type(), 0, 0))
                .filter(replica -> !replica.env().isEmpty()
                        || !plan.role(replica.role().id())
                                .template()
                                .secretEnv()
                                .isEmpty())
                .findFirst();
    }

    private static List<List<String>> env(RolePlan role, ReplicaPlan replica) {
        Map<String, String> shown = SensitiveEnv.shown(replica.env());
        role.template().secretEnv().forEach((name, ref) -> shown.put(name, "(Secret " + ref + ")"));
        List<List<String>> rows = new ArrayList<>();
        shown.forEach((name, value) -> rows.add(List.of(name, shortened(replica, name, value))));
        return rows;
    }

    private static String shortened(ReplicaPlan replica, String name, String value) {
        String line = value.replace("\n", "\\n");
        return line.length() <= LONGEST_VALUE
                ? line
                : line.substring(0, LONGEST_VALUE) + "... (" + value.getBytes(StandardCharsets.UTF_8).length
                        + " bytes; all of it: plan.replica(\"" + replica.role() + "\", " + replica.id()
                        + ").env().get(\"" + name
                        + "\"))";
    }
}
