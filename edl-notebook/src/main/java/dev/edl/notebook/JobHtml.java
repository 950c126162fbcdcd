package dev.edl.notebook;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.explain.JobExplanation;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.SensitiveEnv;
import dev.edl.status.JobEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Jobs, plans, replicas, status and events as HTML. Values of variables with sensitive names are masked, because a
 * notebook stores its output.
 */
public final class JobHtml {
    private static final List<String> ENVIRONMENT = List.of("variable", "value");

    private JobHtml() {}

    /** Returns the roles of the job's plan, and the implied and default values that the job itself does not set. */
    public static String of(Job job) {
        return Html.of(Html.title(job.toString()), planned(job), entries(job.explain()))
                .toString();
    }

    private static Html planned(Job job) {
        try {
            return roles(job.plan());
        } catch (PlanException refused) {
            return Html.line(String.valueOf(refused.getMessage()));
        }
    }

    /** Returns the implied and default values that a job itself does not set, with the reasons. */
    public static String of(JobExplanation explanation) {
        return Html.of(Html.title(explanation.job()), entries(explanation)).toString();
    }

    private static Html entries(JobExplanation explanation) {
        return Html.of(section("Implied", explanation.implied()), section("By default", explanation.defaults()));
    }

    private static Html section(String title, List<JobExplanation.Entry> entries) {
        return Html.table(
                List.of(title, "", ""),
                entries.stream()
                        .map(entry -> List.of(entry.subject(), entry.value(), entry.reason()))
                        .toList());
    }

    /** Returns a plan's roles, the addresses of its replicas, and the variables of each role's first replica. */
    public static String of(JobPlan plan) {
        List<List<String>> head = List.of(
                List.of("run", plan.runId()),
                List.of("namespace", plan.namespace()),
                List.of(
                        "framework",
                        plan.framework()
                                + plan.frameworkVersion()
                                        .map(version -> " " + version)
                                        .orElse("")
                                + ", profile " + plan.profile()));
        List<Html> parts = new ArrayList<>(List.of(Html.title("Job " + plan.name()), Html.pairs(head), roles(plan)));
        for (RolePlan role : plan.roles()) {
            ReplicaPlan first = plan.replica(role.type(), 0, 0);
            parts.add(
                    Html.table(List.of("variable of " + first.name(), "value"), variables(first.env(), secrets(role))));
        }
        return Html.of(parts.toArray(Html[]::new)).toString();
    }

    private static Html roles(JobPlan plan) {
        return Html.table(
                List.of("role", "replicas", "image", "requests", "priority", "address"),
                plan.roles().stream().map(role -> row(plan, role)).toList());
    }

    private static List<String> row(JobPlan plan, RolePlan role) {
        String first = plan.endpoint(role, 0).address();
        return List.of(
                role.type().id(),
                role.replicas() + (role.elastic() ? " (" + role.bounds() + ")" : ""),
                role.template().image().orElse("-"),
                role.template().requests().map(Object::toString).orElse("-"),
                role.template().priority().map(Object::toString).orElse("-"),
                role.replicas() == 1
                        ? first
                        : first + "\nto "
                                + plan.endpoint(role, role.replicas() - 1).address());
    }

    private static Map<String, String> secrets(RolePlan role) {
        return role.template().secretEnv().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> "(Secret " + each.getValue() + ")"));
    }

    private static List<List<String>> variables(Map<String, String> env, Map<String, String> secrets) {
        Map<String, String> shown = SensitiveEnv.shown(env);
        shown.putAll(secrets);
        return shown.entrySet().stream()
                .map(variable -> List.of(variable.getKey(), variable.getValue()))
                .toList();
    }

    /** Returns a replica and its environment. */
    public static String of(ReplicaPlan replica) {
        List<List<String>> head = new ArrayList<>();
        head.add(List.of("role", replica.role() + " " + replica.id() + ", index " + replica.index()));
        head.add(List.of("address", replica.endpoint().address()));
        replica.priorityClass().ifPresent(name -> head.add(List.of("priority", name)));
        return Html.of(
                        Html.title(replica.name()),
                        Html.pairs(head),
                        Html.table(ENVIRONMENT, variables(replica.env(), Map.of())))
                .toString();
    }

    /** Returns the status of a job: its roles, its replicas, and the requests that currently fail. */
    public static String of(JobStatus status) {
        return Html.of(
                        Html.title("Job " + status.job() + " " + status.phase()),
                        Html.line(status.message()),
                        roles(status),
                        Html.table(
                                List.of("replica", "ready", "status", "restarts", "age"),
                                status.replicas().stream()
                                        .map(replica -> List.of(
                                                replica.name(),
                                                replica.ready(),
                                                replica.status(),
                                                Integer.toString(replica.restarts()),
                                                CellText.of(replica.age())))
                                        .toList()),
                        Html.table(
                                List.of("fails now"),
                                status.requestFailures().stream()
                                        .map(failure -> List.of(failure.toString()))
                                        .toList()))
                .toString();
    }

    static Html roles(JobStatus status) {
        return Html.table(
                List.of("role", "wanted", "running", "pending", "succeeded", "failed"),
                status.roles().stream()
                        .map(role -> List.of(
                                role.role().id(),
                                Integer.toString(role.desired()),
                                Integer.toString(role.running()),
                                Integer.toString(role.pending()),
                                Integer.toString(role.succeeded()),
                                Integer.toString(role.failed())))
                        .toList());
    }

    /** Returns the events of a job, one row each. */
    public static String of(List<JobEvent> events) {
        return events(events).toString();
    }

    static Html events(List<JobEvent> events) {
        return Html.table(
                List.of("at", "event", "replica", "message"),
                events.stream()
                        .map(event -> List.of(
                                event.at().toString(),
                                event.type().toString(),
                                event.replica().orElse(""),
                                event.message()))
                        .toList());
    }
}
