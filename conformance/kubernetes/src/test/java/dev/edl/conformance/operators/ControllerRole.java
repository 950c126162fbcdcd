package dev.edl.conformance.operators;

import dev.edl.conformance.Checks;
import dev.edl.conformance.LeastRole;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.preflight.PreflightCase;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.Controller;
import dev.edl.operators.controller.ControllerBuilder;
import dev.edl.operators.controller.ControllerManifest;
import dev.edl.operators.controller.JobKinds;
import dev.edl.operators.controller.ManagedKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Checks that the permissions of the controller's manifest are sufficient and minimal. With all of them a TfJob, an
 * MxJob and a TrainingJob end and no request is refused; without any one verb the API server refuses a request.
 *
 * <p>In each run a controller is lost just after it made the job's record, and one with the account takes over: it
 * requests everything that may exist already.
 */
@OnCluster(value = "--nodes 3", alone = true)
class ControllerRole {
    private final KubernetesClient admin;

    private ControllerRole(KubernetesClient admin) {
        this.admin = admin;
    }

    @Test
    void the_manifest_allows_what_is_needed_and_no_more() throws Exception {
        try (KubernetesClient admin = new KubernetesClientBuilder().build()) {
            new ControllerRole(admin).check();
        }
    }

    private void check() throws Exception {
        for (ManagedKind kind : kinds()) {
            Checks.install(admin, kind.definition());
        }
        List<PolicyRule> rules = role("x").getRules();
        List<PolicyRule> everywhere = ControllerManifest.allNamespaces("edl.local/busybox:1").objects().stream()
                .filter(ClusterRole.class::isInstance)
                .map(object -> ((ClusterRole) object).getRules())
                .findFirst()
                .orElseThrow();
        Checks.check(rules.containsAll(everywhere), "for all namespaces more is allowed than for one: " + everywhere);

        List<Callable<String>> lives = new ArrayList<>();
        for (Life life : Life.values()) {
            lives.add(() -> whole(life));
        }
        // Events are written only after a failed request, and nothing fails without the permission to write them.
        List<PolicyRule> tried = rules.stream()
                .filter(rule -> !rule.getResources().contains("events"))
                .toList();
        int verbs = LeastRole.each(tried, lives, this::without);
        System.out.println(
                "kubernetes: with the Role of the controller's manifest a TfJob, an MxJob and a TrainingJob run to their ends");
        System.out.println("kubernetes: each of its " + verbs
                + " verbs was left out in turn, and each time the controller was refused" + " something");
    }

    private static List<ManagedKind> kinds() {
        return JobKinds.all(TfJobOperatorConfig.parse("{}"), "edl.local/busybox:1");
    }

    private String whole(Life life) throws InterruptedException {
        try (Trial trial = new Trial(
                "edl-role-" + life.name().toLowerCase(Locale.ROOT), life, new PolicyRuleBuilder().build(), "")) {
            trial.live();
            Checks.check(
                    trial.refused().isEmpty(), "with the whole Role the controller was refused " + trial.refused());
            return "with the whole Role: " + life + " to its end";
        }
    }

    private String without(int number, PolicyRule rule, String verb) throws InterruptedException {
        try (Trial trial = new Trial("edl-role-" + number, Life.of(rule, verb), rule, verb)) {
            trial.live();
            String what = "without " + verb + " of " + rule.getResources().get(0);
            Checks.check(!trial.refused().isEmpty(), what + " everything works; it is not needed");
            return what + ": " + trial.refused().peek();
        }
    }

    /** Returns the Role of the manifest for one namespace. */
    private static Role role(String namespace) {
        return manifest(namespace).stream()
                .filter(Role.class::isInstance)
                .map(Role.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static List<HasMetadata> manifest(String namespace) {
        return ControllerManifest.of("edl.local/busybox:1", namespace).objects().stream()
                .filter(object ->
                        namespace.equals(object.getMetadata().getNamespace()) && !(object instanceof Deployment))
                .toList();
    }

    /** Run of a job of each kind, which makes the controller use all its permissions. */
    private enum Life {
        TFJOB("tensorflow.org"),
        MXJOB("mxnet.mlkube.io"),
        /** Of the API group that MxJobs had until October 2017. */
        OLDMXJOB("mlkube.io"),
        TRAININGJOB("kai.alibabacloud.com");

        private final String group;

        Life(String group) {
            this.group = group;
        }

        /** Returns the kind whose jobs need a verb of a rule. */
        static Life of(PolicyRule rule, String verb) {
            return switch (rule.getApiGroups().get(0) + "/"
                    + rule.getResources().get(0)) {
                case "tensorflow.org/tfjobs", "/configmaps", "apps/deployments" -> TFJOB;
                // A pod is read only if its name is taken, and a TrainingJob's Role grants this, for which the
                // controller needs the permission itself.
                case "/pods" -> verb.equals("get") ? TRAININGJOB : TFJOB;
                case "mxnet.mlkube.io/mxjobs", "coordination.k8s.io/leases" -> MXJOB;
                case "mlkube.io/mxjobs" -> OLDMXJOB;
                default -> TRAININGJOB;
            };
        }

        String yaml() {
            String pod =
                    "{spec: {terminationGracePeriodSeconds: 1, containers: [{name: %s, image: \"edl.local/busybox:1\","
                            + " command: [sh, -c, \"%s\"]}]}}";
            return switch (this) {
                case TFJOB ->
                    """
                        apiVersion: tensorflow.org/v1alpha1
                        kind: TfJob
                        metadata: {name: job, annotations: {edl.dev/ttl: PT0S, edl.dev/cleanup: running}}
                        spec:
                          tfImage: edl.local/busybox:1
                          tensorboard: {logDir: /tmp}
                          replicaSpecs:
                            - {tfReplicaType: MASTER, template: %s}
                            - {tfReplicaType: WORKER, template: %s}
                            - {tfReplicaType: PS}
                        """.formatted(pod.formatted("tensorflow", "sleep 3"), pod.formatted("tensorflow", "sleep 1000"));
                case MXJOB, OLDMXJOB -> """
                        apiVersion: %s/v1beta1
                        kind: MxJob
                        metadata: {name: job, annotations: {edl.dev/ttl: PT0S}}
                        spec:
                          jobMode: local
                          replicaSpecs:
                            - {mxReplicaType: WORKER, template: %s}
                        """.formatted(group, pod.formatted("mxnet", "sleep 3"));
                case TRAININGJOB ->
                    """
                        apiVersion: kai.alibabacloud.com/v1alpha1
                        kind: TrainingJob
                        metadata: {name: job}
                        spec:
                          etReplicaSpecs:
                            launcher: {replicas: 1, template: %s}
                            worker: {replicas: 1, minReplicas: 1, maxReplicas: 3, template: %s}
                        """.formatted(pod.formatted("launcher", "sleep 1000"), pod.formatted("worker", "sleep 1000"));
            };
        }
    }

    /** One run of a job, in its own namespace, with a controller of fewer permissions. */
    private final class Trial implements AutoCloseable {
        private final String namespace;
        private final LeastRole role;
        private final Life life;
        /** Whether no controller was there before: the digest of a TrainingJob's job is written before its record. */
        private final boolean first;

        private final Map<String, ManagedKind> kinds = new TreeMap<>();

        Trial(String namespace, Life life, PolicyRule rule, String verb) {
            this.namespace = namespace;
            this.life = life;
            this.first = verb.equals("update") && rule.getResources().contains("trainingjobs");
            for (ManagedKind kind : kinds()) {
                CustomResourceDefinition definition = kind.definition();
                kinds.put(
                        definition.getSpec().getNames().getKind() + "."
                                + definition.getSpec().getGroup(),
                        kind);
            }
            this.role = new LeastRole(admin, namespace);
            role.make(manifest(namespace), rule, verb);
        }

        Queue<String> refused() {
            return role.refused();
        }

        /** Ends when a request is refused. */
        void live() throws InterruptedException {
            create(life.yaml());
            if (!first) {
                begun();
            }
            try (KubernetesClient account = PreflightCase.as(admin, namespace, "edl-controller", role)) {
                role.holds(account);
                ControllerBuilder builder =
                        Controller.using(account).namespaces(namespace).identity("account");
                kinds.values().forEach(builder::kind);
                try (Controller controller = builder.start()) {
                    until(controller + " brings it to its end", this::ended);
                }
            }
        }

        /** Loses a controller with all permissions once it has made the record. */
        private void begun() throws InterruptedException {
            AtomicBoolean dead = new AtomicBoolean();
            Interceptor kill = new Interceptor() {
                @Override
                public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                    boolean makes = request.method().equals("POST")
                            && !request.uri().getPath().contains("/leases");
                    if (dead.get() || (makes && record())) {
                        dead.set(true);
                        throw new IllegalStateException("killed");
                    }
                }
            };
            try (KubernetesClient first = new KubernetesClientBuilder()
                    .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("kill", kill))
                    .build()) {
                ControllerBuilder builder = Controller.using(first)
                        .namespaces(namespace)
                        .identity("lost")
                        .lease(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));
                kinds.values().forEach(builder::kind);
                try (Controller controller = builder.start()) {
                    until(controller + " is lost once it has made the record", () -> dead.get());
                }
            }
            // That controller could not release the lease, and the next one would wait for its expiry.
            admin.leases().inNamespace(namespace).withName("edl-controller").delete();
        }

        private boolean record() {
            return admin.configMaps()
                            .inNamespace(namespace)
                            .withName("edl-job-job")
                            .get()
                    != null;
        }

        private boolean ended() {
            return switch (life) {
                case TFJOB -> object("TfJob", "job").get() == null;
                case MXJOB, OLDMXJOB -> object("MxJob", "job").get() == null;
                case TRAININGJOB -> scaled();
            };
        }

        /** Scales out once the job runs, then in. */
        private boolean scaled() {
            if (!phase("TrainingJob", "job").equals("Running")) {
                return false;
            }
            if (object("ScaleOut", "out").get() == null) {
                create(scaler("ScaleOut", "out", "toAdd"));
            } else if (phase("ScaleOut", "out").equals("ScaleSucceeded")
                    && object("ScaleIn", "in").get() == null) {
                create(scaler("ScaleIn", "in", "toDelete"));
            }
            return object("ScaleIn", "in").get() != null
                    && phase("ScaleIn", "in").equals("ScaleSucceeded");
        }

        private static String scaler(String kind, String name, String change) {
            return """
                    apiVersion: kai.alibabacloud.com/v1alpha1
                    kind: %s
                    metadata: {name: %s}
                    spec: {selector: {name: job}, %s: {count: 1}, timeout: 300}
                    """.formatted(kind, name, change);
        }

        private void create(String yaml) {
            GenericKubernetesResource object =
                    admin.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
            kind(object.getKind()).resource(object).create();
        }

        private String phase(String kind, String name) {
            GenericKubernetesResource there = object(kind, name).get();
            return there != null && there.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                    ? String.valueOf(status.get("phase"))
                    : "";
        }

        private Resource<GenericKubernetesResource> object(String kind, String name) {
            return kind(kind).withName(name);
        }

        private NonNamespaceOperation<
                        GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
                kind(String kind) {
            CustomResourceDefinition definition =
                    kinds.get(kind + "." + life.group).definition();
            String version = definition.getSpec().getVersions().get(0).getName();
            return admin.genericKubernetesResources(definition.getSpec().getGroup() + "/" + version, kind)
                    .inNamespace(namespace);
        }

        private void until(String what, BooleanSupplier holds) throws InterruptedException {
            role.until(what, Duration.ofMinutes(3), holds);
        }

        @Override
        public void close() {
            role.remove();
        }
    }
}
