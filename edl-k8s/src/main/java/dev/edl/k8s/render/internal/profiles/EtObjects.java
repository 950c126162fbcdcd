package dev.edl.k8s.render.internal.profiles;

import dev.edl.env.HorovodHosts;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Secret and files of a TrainingJob, and the permissions of its launcher. */
final class EtObjects {
    private final JobPlan plan;
    private final Map<String, String> sshKeys;

    EtObjects(JobPlan plan, Map<String, String> sshKeys) {
        this.plan = plan;
        this.sshKeys = sshKeys;
    }

    List<HasMetadata> objects() {
        List<HasMetadata> objects = new ArrayList<>();
        if (!sshKeys.isEmpty()) {
            objects.add(secret());
        }
        objects.add(config());
        return objects;
    }

    static String config(JobPlan plan) {
        return plan.name() + "-config";
    }

    /**
     * Returns the operator's own rules for its launcher. In the last rule the operator wrote {@code configmap}, which
     * matches nothing.
     */
    static List<PolicyRule> rules(JobPlan plan) {
        return List.of(
                rule("pods").withVerbs("get", "list", "watch").build(),
                rule("pods/exec").withVerbs("create").build(),
                rule("configmaps")
                        .withResourceNames(config(plan))
                        .withVerbs("get")
                        .build());
    }

    private static PolicyRuleBuilder rule(String resource) {
        return new PolicyRuleBuilder().withApiGroups("").withResources(resource);
    }

    private HasMetadata secret() {
        Map<String, String> data = new TreeMap<>();
        sshKeys.forEach((file, key) -> data.put(file, base64(key)));
        data.put("config", base64("StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n"));
        return new SecretBuilder()
                .withMetadata(metadata(plan.name()))
                .withData(data)
                .build();
    }

    private HasMetadata config() {
        HorovodHosts hosts = HorovodHosts.of(plan);
        Map<String, String> files = new TreeMap<>();
        files.put("hostfile", hosts.lines());
        files.put("deepspeed-hostfile", hosts.hostfile());
        files.put("discover_hosts.sh", HorovodHosts.script("/etc/edl/hostfile"));
        files.put("kubexec.sh", kubexec());
        ObjectMeta metadata = metadata(config(plan));
        Map<String, String> labels = new TreeMap<>(metadata.getLabels());
        labels.put("app", plan.name());
        metadata.setLabels(labels);
        return new ConfigMapBuilder().withMetadata(metadata).withData(files).build();
    }

    /** Falls back to the image's kubectl if the launcher's volume has none; the operator knew only the volume. */
    static String kubexec() {
        return """
                #!/bin/sh
                set -x
                pod=$1
                shift
                kubectl=/opt/kube/kubectl
                if [ ! -x "$kubectl" ] && ! kubectl=$(command -v kubectl); then
                  echo "no kubectl: neither in /opt/kube nor on the PATH of the launcher's image" >&2
                  exit 127
                fi
                exec "$kubectl" exec "$pod" --container worker -- /bin/sh -c "$*"
                """;
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .build();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
