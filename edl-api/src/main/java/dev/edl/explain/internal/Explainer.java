package dev.edl.explain.internal;

import dev.edl.explain.JobExplanation;
import dev.edl.explain.JobExplanation.Entry;
import dev.edl.explain.JobExplanation.Kind;
import dev.edl.plan.Planner;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Lists the values that a job has without having specified them, and the reasons. */
public final class Explainer {
    private final JobSpec spec;
    private final List<Entry> entries = new ArrayList<>();

    private Explainer(JobSpec spec) {
        this.spec = spec;
    }

    /**
     * Returns the explanation of a job.
     *
     * @param spec spec of a valid job, with its implied roles
     * @param line text of the job on one line, the explanation's first
     * @param derivedName name that the job would have if it specified none
     */
    public static JobExplanation explain(JobSpec spec, String line, String derivedName) {
        Explainer explainer = new Explainer(spec);
        explainer.implied(derivedName);
        explainer.job();
        explainer.roles();
        return new JobExplanation(line, explainer.entries);
    }

    private void implied(String derivedName) {
        if (spec.name().equals(derivedName)) {
            add(Kind.IMPLIED, "name", spec.name(), "from the job's content; .name(\"mnist\") sets another");
        }
        ImpliedRoles.in(spec).ifPresent(role -> add(Kind.IMPLIED, role.type().id(), size(role), why(role.type())));
        spec.role(RoleType.SERVER)
                .ifPresent(servers -> add(
                        Kind.IMPLIED,
                        "server",
                        "x " + servers.replicas(),
                        "MXNet's parameter servers, by .ps(n) or .servers(n)"));
    }

    private static String size(RoleSpec role) {
        return "x 1"
                + role.template().requests().map(requests -> ", " + requests).orElse("")
                + role.template()
                        .priority()
                        .map(priority -> ", priority " + priority)
                        .orElse("");
    }

    private static String why(RoleType type) {
        return type == RoleType.MASTER
                ? "hands out an elasticdl job's work; .master() configures it"
                : "brings servers and workers together; .scheduler() configures it";
    }

    private void job() {
        if (spec.framework() == Framework.ELASTICDL) {
            byDefault("framework", "elasticdl", "or .tensorflow(), .mxnet(), .horovod(), .pytorch()");
        }
        if (spec.namespace().equals("default")) {
            byDefault("namespace", "default", ".namespace(\"team-a\")");
        }
        if (spec.policy().success().isEmpty()) {
            success();
        }
        if (spec.policy().cleanup() == CleanupPolicy.RUNNING) {
            byDefault("cleanup", "running", "at the end, removes replicas that still run");
        }
        if (spec.policy().deadline().isEmpty()) {
            byDefault("deadline", "none", ".deadline(Duration.ofHours(2))");
        }
        if (spec.policy().ttl().isEmpty()) {
            byDefault("ttl", "none", ".ttl(Duration.ofHours(1)) removes the ended job");
        }
    }

    private void success() {
        String leader = List.of(RoleType.MASTER, RoleType.CHIEF, RoleType.LAUNCHER).stream()
                .filter(type -> spec.role(type).isPresent())
                .map(RoleType::id)
                .findFirst()
                .orElse("");
        if (leader.isEmpty()) {
            boolean tensorflow = spec.framework() == Framework.TENSORFLOW;
            byDefault("success", "all-workers", "the job has no leader" + (tensorflow ? "; .chief() adds one" : ""));
        } else {
            byDefault("success", "leader", "the job ends with its " + leader);
        }
    }

    private void roles() {
        without("image", "none", t -> t.image().isEmpty(), "pods need one: .image(\"registry.example/acme/mnist:1\")");
        without("command", "none", t -> t.command().isEmpty(), "the image's own; local processes need one");
        without("requests", "none", t -> t.requests().isEmpty(), "reserves nothing; .request(\"cpu=2,memory=2048Mi\")");
        without("priority", "none", t -> t.priority().isEmpty(), "the cluster's default class; .priority(HIGH)");
        without("port", ports(), t -> t.port().isEmpty(), "the framework's own; .port(2222)");
        without("restart", "on-failure", t -> t.restart().isEmpty(), "relaunches a replica that fails");
        without(
                "relaunchLimit",
                "1",
                t -> t.relaunchLimit().isEmpty(),
                "failures of a replica; a deleted pod does not count");
    }

    /** Returns each role that sets no port, with the framework's port for it: {@code ps 2222, worker 2222}. */
    private String ports() {
        return spec.roles().stream()
                .filter(role -> spec.effective(role).port().isEmpty())
                .map(role -> role.type() + " "
                        + Planner.defaults(spec.framework(), role.type()).port().orElseThrow())
                .collect(Collectors.joining(", "));
    }

    private void without(String field, String value, Predicate<RoleTemplate> lacks, String reason) {
        List<String> roles = spec.roles().stream()
                .filter(role -> lacks.test(spec.effective(role)))
                .map(role -> role.type().id())
                .toList();
        if (!roles.isEmpty()) {
            boolean all = roles.size() == spec.roles().size();
            byDefault(all ? field : field + " of " + roles.stream().collect(Collectors.joining(", ")), value, reason);
        }
    }

    private void byDefault(String subject, String value, String reason) {
        add(Kind.DEFAULT, subject, value, reason);
    }

    private void add(Kind kind, String subject, String value, String reason) {
        entries.add(new Entry(kind, subject, value, reason));
    }
}
