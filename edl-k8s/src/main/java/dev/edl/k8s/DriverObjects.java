package dev.edl.k8s;

import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Objects of a job's in-cluster driver: a service account with the minimal permissions, and a Job that restarts the
 * driver pod until the training job has ended. Pure.
 */
final class DriverObjects {
    /** Label that separates the driver pod from the job's own pods. */
    static final String LABEL = "edl.dev/drives";

    /**
     * User id that the driver runs as, because {@code restricted} rejects an image whose user is root or has no numeric
     * id.
     */
    private static final long USER = 1000;

    private final JobPlan plan;
    private final OwnerReference owner;
    private final DriverPod driver;
    private final String digest;
    private final boolean admitted;

    /** @param admitted whether Kueue admits the job's pods as a group, which the driver ends */
    DriverObjects(JobPlan plan, OwnerReference owner, DriverPod driver, String digest, boolean admitted) {
        this.digest = digest;
        this.admitted = admitted;
        this.plan = plan;
        this.owner = owner;
        this.driver = driver;
    }

    static String nameOf(String job) {
        return "edl-driver-" + job;
    }

    /**
     * Returns the permissions that driving the job needs. Pod names are not known in advance, so the verbs cover all
     * pods.
     */
    List<PolicyRule> rules() {
        List<String> record = new ArrayList<>(List.of("get", "update"));
        if (plan.policy().ttl().isPresent()) {
            record.add("delete");
        }
        List<String> pods = new ArrayList<>(List.of("get", "list", "watch", "create", "delete"));
        if (admitted) {
            pods.add("patch");
        }
        return List.of(
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("configmaps")
                        .withResourceNames(JobRecord.nameOf(plan.name()))
                        .withVerbs(record)
                        .build(),
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("pods")
                        .withVerbs(pods)
                        .build(),
                // For events about failures in kubectl describe.
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("events")
                        .withVerbs("create", "patch")
                        .build());
    }

    /** Returns the driver's service account, its Role and the RoleBinding. */
    List<HasMetadata> access() {
        String name = nameOf(plan.name());
        return List.of(
                new ServiceAccountBuilder().withMetadata(metadata()).build(),
                new RoleBuilder().withMetadata(metadata()).withRules(rules()).build(),
                new RoleBindingBuilder()
                        .withMetadata(metadata())
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(name)
                        .withNamespace(plan.namespace())
                        .endSubject()
                        .build());
    }

    /** Returns the Job whose pod runs the driver. */
    Job job() {
        return new JobBuilder()
                .withMetadata(metadata())
                .withNewSpec()
                // A job may run for weeks, so its driver is always restarted.
                .withBackoffLimit(Integer.MAX_VALUE)
                .withTemplate(driver.tweaked(template()))
                .endSpec()
                .build();
    }

    private PodTemplateSpec template() {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels(LABEL, plan.name())
                // The driver only calls the API server. A mesh proxy would keep its pod, and so the Job, from ending.
                .addToLabels("sidecar.istio.io/inject", "false")
                .addToAnnotations("linkerd.io/inject", "disabled")
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName(nameOf(plan.name()))
                .withRestartPolicy("OnFailure")
                .withEnableServiceLinks(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewContainer()
                .withName("driver")
                .withImage(driver.image())
                .withCommand(driver.command(plan.namespace(), plan.name(), digest))
                .withNewResources()
                .withRequests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("256Mi")))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
    }

    private ObjectMeta metadata() {
        return new ObjectMetaBuilder()
                .withName(nameOf(plan.name()))
                .withNamespace(plan.namespace())
                .addToLabels(LABEL, plan.name())
                .withOwnerReferences(owner)
                .build();
    }
}
