package dev.edl.k8s.render.internal.profiles;

import dev.edl.env.HorovodEnv;
import dev.edl.env.HorovodHosts;
import dev.edl.env.HorovodHosts.Host;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Files of an MPIJob v1, by which its launcher reaches the workers with {@code kubectl exec}, and the permissions for
 * it. The operator rewrites {@code discover_hosts.sh} whenever a worker is added or removed; here it names the initial
 * workers.
 */
final class MpiObjects {
    private MpiObjects() {}

    static String config(JobPlan plan) {
        return plan.name() + "-config";
    }

    static ConfigMap files(JobPlan plan) {
        HorovodHosts hosts = hosts(plan);
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("app", plan.name());
        Map<String, String> files = new TreeMap<>();
        files.put("hostfile", hosts.hostfile());
        files.put("discover_hosts.sh", hosts.script());
        files.put("kubexec.sh", """
                #!/bin/sh
                set -x
                pod=$1
                shift
                exec /opt/kube/kubectl exec "$pod" -- /bin/sh -c "$*"
                """);
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(config(plan))
                .withNamespace(plan.namespace())
                .withLabels(labels)
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withData(files)
                .build();
    }

    /** A launcher with its own devices also computes. */
    private static HorovodHosts hosts(JobPlan plan) {
        List<Host> hosts = new ArrayList<>();
        plan.role(RoleType.LAUNCHER)
                .filter(HorovodEnv::computes)
                .ifPresent(launcher -> hosts.add(new Host(plan.replicaName(RoleType.LAUNCHER, 0), 1)));
        if (plan.role(RoleType.WORKER).isPresent()) {
            hosts.addAll(HorovodHosts.of(plan).hosts());
        }
        return new HorovodHosts(hosts);
    }

    /**
     * Returns the launcher's permissions. The rule for {@code pods/exec} names the job's workers, because without names
     * it would cover all pods.
     */
    static List<PolicyRule> rules(JobPlan plan) {
        List<PolicyRule> rules = new ArrayList<>();
        rules.add(new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources("pods")
                .withVerbs("get", "list", "watch")
                .build());
        plan.role(RoleType.WORKER)
                .ifPresent(workers -> rules.add(new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("pods/exec")
                        .withResourceNames(IntStream.range(0, workers.replicas())
                                .mapToObj(index -> plan.replicaName(RoleType.WORKER, index))
                                .toList())
                        .withVerbs("create")
                        .build()));
        return rules;
    }
}
