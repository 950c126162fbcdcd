package dev.edl.plan;

import dev.edl.Backoff;
import dev.edl.RoleType;
import dev.edl.Volume;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SensitiveEnv;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The plan as a person reads it: the job, its roles, their addresses, and the environment of one replica. */
final class PlanTable {
    private static final int WIDEST_VALUE = 96;

    private PlanTable() {}

    static String of(JobPlan plan) {
        StringBuilder out = new StringBuilder();
        out.append("Job ").append(plan.name()).append('\n');
        out.append(TextTable.of(header(plan), "  ")).append('\n');
        out.append(TextTable.of(roles(plan), "")).append('\n');
        out.append("Endpoints\n").append(TextTable.of(endpoints(plan), "  ")).append('\n');
        ReplicaPlan shown = example(plan);
        out.append("Environment of ").append(shown.name()).append('\n');
        out.append(TextTable.of(env(plan.role(shown.role().id()), shown), "  "));
        return out.toString();
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
                                .map(ttl -> ", all of it " + words(ttl) + " after the end")
                                .orElse("")));
        policy.deadline().ifPresent(d -> rows.add(List.of("deadline", words(d))));
        Backoff backoff = policy.backoff();
        if (!backoff.max().isZero()) {
            rows.add(List.of(
                    "backoff",
                    words(backoff.initial()) + ", then times " + number(backoff.factor()) + ", at most "
                            + words(backoff.max())));
        }
        return rows;
    }

    private static String words(Duration duration) {
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

    /** A worker's environment says most; without workers, the leader's. */
    private static ReplicaPlan example(JobPlan plan) {
        RolePlan role =
                plan.role(RoleType.WORKER).or(() -> Optional.of(plan.leader())).orElseThrow();
        return plan.replica(role.type(), 0, 0);
    }

    private static List<List<String>> env(RolePlan role, ReplicaPlan replica) {
        Map<String, String> shown = SensitiveEnv.shown(replica.env());
        role.template().secretEnv().forEach((name, ref) -> shown.put(name, "(Secret " + ref + ")"));
        List<List<String>> rows = new ArrayList<>();
        shown.forEach((name, value) -> rows.add(List.of(name, shortened(value))));
        return rows;
    }

    private static String shortened(String value) {
        String line = value.replace("\n", "\\n");
        return line.length() <= WIDEST_VALUE
                ? line
                : line.substring(0, WIDEST_VALUE) + "... (" + value.getBytes(StandardCharsets.UTF_8).length + " bytes)";
    }
}
