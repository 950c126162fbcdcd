package dev.edl.plan;

import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Prints a plan as YAML without a library, so that its bytes depend on no library version. */
final class PlanYaml {
    private final YamlEmitter yaml = new YamlEmitter();
    private final JobPlan plan;

    private PlanYaml(JobPlan plan) {
        this.plan = plan;
    }

    static String of(JobPlan plan) {
        PlanYaml document = new PlanYaml(plan);
        document.head(Optional.of(plan.runId()));
        for (RolePlan role : plan.roles()) {
            document.role(role);
            document.frameworkEnv(role);
        }
        return document.yaml.toString();
    }

    /**
     * Returns the YAML from which a run id is derived. It omits the run id, and the framework's variables, which
     * contain the run id and follow from the rest.
     */
    static String content(JobPlan plan) {
        PlanYaml document = new PlanYaml(plan);
        document.head(Optional.empty());
        plan.roles().forEach(document::role);
        return document.yaml.toString();
    }

    private void head(Optional<String> runId) {
        yaml.value(0, "job", plan.name());
        yaml.value(0, "namespace", plan.namespace());
        runId.ifPresent(id -> yaml.value(0, "runId", id));
        yaml.value(0, "framework", plan.framework().id());
        plan.frameworkVersion().ifPresent(version -> yaml.value(0, "frameworkVersion", version));
        yaml.value(0, "profile", plan.profile().name());
        yaml.map(0, "labels", plan.userLabels());
        yaml.map(0, "annotations", plan.annotations());
        policy(plan.policy());
        yaml.open(0, "roles");
    }

    private void policy(RunPolicy policy) {
        yaml.open(0, "policy");
        yaml.value(1, "success", policy.success().orElseThrow().name());
        yaml.value(1, "cleanup", policy.cleanup().name());
        policy.deadline().ifPresent(d -> yaml.value(1, "deadline", d.toString()));
        policy.ttl().ifPresent(d -> yaml.value(1, "ttl", d.toString()));
        yaml.open(1, "backoff");
        yaml.value(2, "initial", policy.backoff().initial().toString());
        yaml.value(2, "factor", Double.toString(policy.backoff().factor()));
        yaml.value(2, "max", policy.backoff().max().toString());
    }

    private void role(RolePlan role) {
        RoleTemplate template = role.template();
        yaml.open(1, role.type().id());
        yaml.number(2, "replicas", role.replicas());
        if (role.elastic()) {
            yaml.number(2, "min", role.bounds().min());
            yaml.number(2, "max", role.bounds().max());
        }
        yaml.value(2, "name", plan.names().replica(role.type(), "<id>"));
        if (plan.addresses().isPresent()) {
            yaml.list(
                    2,
                    "addresses",
                    plan.endpoints(role).stream().map(Endpoint::address).toList());
        } else {
            yaml.value(2, "address", plan.names().host(role.type(), "<index>") + ":" + role.port());
        }
        template.image().ifPresent(image -> yaml.value(2, "image", image));
        yaml.list(2, "command", template.command());
        yaml.list(2, "args", template.args());
        template.priority().ifPresent(priority -> yaml.value(2, "priority", priority.toString()));
        template.requests().ifPresent(r -> resources("requests", r));
        Resources limits = template.effectiveLimits();
        if (!limits.amounts().isEmpty()) {
            resources("limits", limits);
        }
        yaml.list(
                2, "volumes", template.volumes().stream().map(PlanYaml::volume).toList());
        yaml.value(2, "restart", role.restart().name());
        yaml.number(2, "relaunchLimit", role.relaunchLimit());
        yaml.list(2, "freeExitCodes", codes(role.exitCodes().free()));
        yaml.list(2, "fatalExitCodes", codes(role.exitCodes().fatal()));
        yaml.list(2, "temporaryExitCodes", codes(role.exitCodes().temporary()));
        yaml.map(2, "env", new TreeMap<>(template.env()));
        Map<String, String> secrets = new TreeMap<>();
        template.secretEnv().forEach((name, ref) -> secrets.put(name, ref.toString()));
        yaml.map(2, "secretEnv", secrets);
    }

    private void frameworkEnv(RolePlan role) {
        yaml.list(2, "frameworkEnv", List.copyOf(new TreeMap<>(plan.frameworkEnv(role, 0, 0)).keySet()));
    }

    private void resources(String key, Resources resources) {
        yaml.map(2, key, new TreeMap<>(resources.amounts()));
    }

    private static List<String> codes(Set<Integer> codes) {
        return codes.stream().sorted().map(String::valueOf).toList();
    }

    static String volume(Volume volume) {
        return volume.mountPath()
                + volume.claimName().map(claim -> " <- claim " + claim).orElse("")
                + volume.hostPath().map(path -> " <- host " + path).orElse("")
                + volume.image().map(image -> " <- image " + image).orElse("")
                + volume.type().map(type -> ", type " + type).orElse("")
                + volume.subPath().map(path -> ", sub path " + path).orElse("")
                + (volume.readOnly() ? ", read only" : "");
    }
}
