package dev.edl.conformance.operators;

import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.operators.controller.Controller;
import dev.edl.operators.controller.ControllerBuilder;
import dev.edl.operators.controller.JobKinds;
import dev.edl.operators.controller.ManagedKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Checks et-operator's TrainingJob, ScaleIn and ScaleOut, reconciled by EDL's controller, step by step: two jobs of one
 * name in two namespaces, of which only one is scaled.
 */
@OnCluster("--nodes 3")
class TrainingJobs {
    private static final String ONE = "edl-training";
    private static final String OTHER = "edl-training-other";
    private static final String JOB = "elastic-training";
    private static final String HOSTS = "/etc/edl/hostfile";

    @Test
    void training_jobs_are_scaled_by_their_resources() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            for (ManagedKind kind : JobKinds.trainingJob()) {
                Checks.install(client, kind.definition());
            }
            Checks.namespace(client, ONE, false);
            Checks.namespace(client, OTHER, false);
            ControllerBuilder builder = Controller.using(client).identity("check");
            JobKinds.trainingJob("edl.local/busybox:1").forEach(builder::kind);
            try (Controller controller = builder.start()) {
                System.out.println(controller);
                steps(client);
                String launcher = launcher(client);
                scaleIn(client);
                scaleOut(client);
                Checks.check(
                        launcher(client).equals(launcher),
                        "the launcher's pod and container were to stay " + launcher + ", are " + launcher(client));
                refusals(client);
                ends(client);
            }
            client.namespaces().withName(ONE).delete();
            client.namespaces().withName(OTHER).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    /** Checks the first half of the operator's table. */
    private static void steps(KubernetesClient client) throws InterruptedException {
        for (String namespace : List.of(ONE, OTHER)) {
            create(client, namespace, TrainingJobTexts.job(JOB));
        }
        for (String namespace : List.of(ONE, OTHER)) {
            until(
                    client,
                    namespace,
                    "the job runs",
                    () -> phase(client, namespace, "TrainingJob", JOB).equals("Running"));
        }
        Map<String, Object> status = status(client, ONE, "TrainingJob", JOB);
        List<String> held = held(status);
        Checks.check(
                held.equals(List.of("Created", "WorkersCreated", "WorkersReady", "LauncherCreated", "Running")),
                "the conditions in order, was " + held);
        Checks.check(
                status.get("targetWorkers").equals(workers(0, 1))
                        && status.get("currentWorkers").equals(workers(0, 1)),
                "both workers, was " + status);
        Checks.check(
                status.get("replicaStatuses")
                        .equals(Map.of("Launcher", Map.of("active", 1), "Worker", Map.of("active", 2))),
                "what is active, was " + status.get("replicaStatuses"));
        Pod launcher = pod(client, "launcher");
        Pod last = pod(client, "worker-1");
        Checks.check(
                !launcher.getMetadata().getCreationTimestamp().isEmpty()
                        && last.getStatus()
                                        .getStartTime()
                                        .compareTo(launcher.getMetadata().getCreationTimestamp())
                                <= 0,
                "the launcher is created when the workers run");
        Checks.check(
                new TreeSet<>(client.secrets()
                                .inNamespace(ONE)
                                .withName(JOB)
                                .get()
                                .getData()
                                .keySet())
                        .equals(new TreeSet<>(Set.of("config", "id_rsa", "id_rsa.pub"))),
                "the Secret of ssh");
        Service service =
                client.services().inNamespace(ONE).withName(JOB + "-worker-1").get();
        Checks.check(
                "None".equals(service.getSpec().getClusterIP())
                        && service.getSpec().getPorts().size() == 2,
                "a headless Service for each worker");
        Map<String, String> config = client.configMaps()
                .inNamespace(ONE)
                .withName(JOB + "-config")
                .get()
                .getData();
        Checks.check(
                config.get("hostfile").equals(hosts(0, 1))
                        && config.get("deepspeed-hostfile").equals(hosts(0, 1).replace(":", " slots=")),
                "the hosts in the ConfigMap, was " + config);
        for (String kind : List.of("sa", "role", "rolebinding")) {
            Checks.check(account(client, kind), "a " + kind + " of the launcher");
        }
        System.out.println(
                "kubernetes: a TrainingJob: Created, WorkersCreated, WorkersReady, LauncherCreated, Running");
    }

    private static void scaleIn(KubernetesClient client) throws Exception {
        attached(client, 1);
        create(client, ONE, TrainingJobTexts.scaler(JOB, "ScaleIn", "by-count", "{count: 1}", 300));
        until(client, ONE, "the hosts are written", () -> file(client).equals(hosts(0)));
        Map<String, Object> job = status(client, ONE, "TrainingJob", JOB);
        Checks.check(
                job.get("phase").equals("Scaling") && job.get("currentScaler").equals("ScaleIn:" + ONE + "/by-count"),
                "the job is scaling, was " + job);
        Checks.stays(
                "a worker stays while the launcher has a process on it",
                Duration.ofSeconds(1),
                () -> status(client, ONE, "TrainingJob", JOB),
                () -> pod(client, "worker-1").getMetadata().getDeletionTimestamp() == null);
        exec(client, ONE, "touch", "/tmp/free");
        succeeded(client, "ScaleIn", "by-count");
        Map<String, Object> status = status(client, ONE, "ScaleIn", "by-count");
        Checks.check(
                held(status).equals(List.of("Created", "Scaling", "ScriptExecuted", "ScaleSucceeded"))
                        && status.get("toDeletePods").equals(workers(1)),
                "the steps of a ScaleIn, was " + status);
        GenericKubernetesResource scaleIn = resource(client, ONE, "ScaleIn", "by-count");
        Checks.check(
                scaleIn.getMetadata().getOwnerReferences().get(0).getName().equals(JOB),
                "the ScaleIn is owned by its job");
        left(client, 0);
        System.out.println("kubernetes: ScaleIn by count: hosts updated, process gone, Service and pod deleted");
    }

    private static void scaleOut(KubernetesClient client) throws Exception {
        create(client, ONE, TrainingJobTexts.scaler(JOB, "ScaleOut", "more", "{count: 2}", 300));
        succeeded(client, "ScaleOut", "more");
        Checks.check(
                status(client, ONE, "ScaleOut", "more").get("addPods").equals(workers(1, 2)),
                "the workers that came, was " + status(client, ONE, "ScaleOut", "more"));
        left(client, 0, 1, 2);
        System.out.println("kubernetes: ScaleOut: pods ready, hosts updated");

        attached(client, 1);
        create(
                client,
                ONE,
                TrainingJobTexts.scaler(JOB, "ScaleIn", "by-name", "{podNames: [" + JOB + "-worker-1]}", 300));
        succeeded(client, "ScaleIn", "by-name");
        left(client, 0, 2);
        System.out.println("kubernetes: ScaleIn by name");

        Checks.cordon(client, true);
        create(client, ONE, TrainingJobTexts.scaler(JOB, "ScaleOut", "late", "{count: 1}", 4));
        failed(client, "ScaleOut", "late", "scaleout job ScaleOut:" + ONE + "/late execution timeout");
        Checks.cordon(client, false);
        left(client, 0, 2);
        System.out.println("kubernetes: ScaleOut without room fails in time; new workers removed, hosts as they were");

        Checks.check(
                status(client, OTHER, "TrainingJob", JOB).get("currentWorkers").equals(workers(0, 1)),
                "the job of the other namespace is as it was");
        System.out.println("kubernetes: a job of the same name in another namespace was left alone");
    }

    private static void refusals(KubernetesClient client) throws InterruptedException {
        create(client, ONE, TrainingJobTexts.scaler(JOB, "ScaleIn", "all", "{count: 2}", 60));
        failed(client, "ScaleIn", "all", ".spec.toDelete.count should be less than current replicas 2");
        create(
                client,
                ONE,
                TrainingJobTexts.scaler(JOB, "ScaleIn", "unknown", "{podNames: [" + JOB + "-worker-7]}", 60));
        failed(client, "ScaleIn", "unknown", ".spec.toDelete.podNames must name workers of the job");
        create(client, ONE, TrainingJobTexts.scaler(JOB, "ScaleOut", "too-many", "{count: 20}", 60));
        failed(client, "ScaleOut", "too-many", ".spec.toAdd.count would make the workers 22");
        create(
                client,
                ONE,
                TrainingJobTexts.scaler(JOB, "ScaleOut", "stray", "{count: 1}", 2)
                        .replace("name: " + JOB, "name: other"));
        failed(client, "ScaleOut", "stray", ".spec.selector.name must name a TrainingJob of namespace " + ONE);
        left(client, 0, 2);
        System.out.println(
                "kubernetes: a ScaleIn of all, of no worker, a ScaleOut beyond maxReplicas and one of no job say why they fail");
    }

    private static void ends(KubernetesClient client) throws InterruptedException {
        exec(client, ONE, "sh", "-c", "echo 0 >/tmp/e; mv /tmp/e /tmp/end");
        exec(client, OTHER, "sh", "-c", "echo 3 >/tmp/e; mv /tmp/e /tmp/end");
        until(
                client,
                ONE,
                "it succeeds",
                () -> phase(client, ONE, "TrainingJob", JOB).equals("Succeeded"));
        until(
                client,
                OTHER,
                "it fails",
                () -> phase(client, OTHER, "TrainingJob", JOB).equals("Failed"));
        for (String namespace : List.of(ONE, OTHER)) {
            until(
                    client,
                    namespace,
                    "workers and Services are cleaned up",
                    () -> client.pods().inNamespace(namespace).list().getItems().size() == 1
                            && client.services()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems()
                                    .isEmpty());
            Map<String, Object> status = status(client, namespace, "TrainingJob", JOB);
            Checks.check(
                    !held(status).contains("Running") && status.containsKey("completionTime"),
                    "it runs no more, was " + status);
            Checks.check(
                    client.configMaps()
                                            .inNamespace(namespace)
                                            .withName(JOB + "-config")
                                            .get()
                                    != null
                            && client.secrets()
                                            .inNamespace(namespace)
                                            .withName(JOB)
                                            .get()
                                    != null,
                    "ConfigMap and Secret stay");
        }
        System.out.println(
                "kubernetes: the launcher's exit code ended the jobs, Succeeded and Failed; workers were cleaned up");
        kind(client, ONE, "TrainingJob").withName(JOB).delete();
        until(
                client,
                ONE,
                "nothing is left",
                () -> client.pods().inNamespace(ONE).list().getItems().isEmpty()
                        && client.secrets().inNamespace(ONE).list().getItems().isEmpty()
                        && kind(client, ONE, "ScaleIn").list().getItems().isEmpty());
        System.out.println("kubernetes: a deleted TrainingJob leaves nothing, its ScaleIns and ScaleOuts included");
    }

    private static io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
                    GenericKubernetesResource,
                    io.fabric8.kubernetes.api.model.GenericKubernetesResourceList,
                    io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
            kind(KubernetesClient client, String namespace, String kind) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("kai.alibabacloud.com")
                        .withVersion("v1alpha1")
                        .withKind(kind)
                        .withPlural(kind.toLowerCase(java.util.Locale.ROOT) + "s")
                        .withNamespaced(true)
                        .build())
                .inNamespace(namespace);
    }

    private static void create(KubernetesClient client, String namespace, String yaml) {
        String kind = yaml.contains("kind: ScaleIn")
                ? "ScaleIn"
                : yaml.contains("kind: ScaleOut") ? "ScaleOut" : "TrainingJob";
        GenericKubernetesResource object =
                client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
        kind(client, namespace, kind).resource(object).create();
    }

    private static GenericKubernetesResource resource(
            KubernetesClient client, String namespace, String kind, String name) {
        return kind(client, namespace, kind).withName(name).get();
    }

    @SuppressWarnings("unchecked") // A status is an object.
    private static Map<String, Object> status(KubernetesClient client, String namespace, String kind, String name) {
        Object status = resource(client, namespace, kind, name)
                .getAdditionalProperties()
                .get("status");
        return status == null ? Map.of() : (Map<String, Object>) status;
    }

    private static String phase(KubernetesClient client, String namespace, String kind, String name) {
        return String.valueOf(status(client, namespace, kind, name).get("phase"));
    }

    private static List<String> held(Map<String, Object> status) {
        List<String> types = new ArrayList<>();
        for (Object condition : (List<?>) status.getOrDefault("conditions", List.of())) {
            Map<?, ?> fields = (Map<?, ?>) condition;
            if ("True".equals(fields.get("status"))) {
                types.add(String.valueOf(fields.get("type")));
            }
        }
        return types;
    }

    private static void succeeded(KubernetesClient client, String kind, String name) throws InterruptedException {
        until(
                client,
                ONE,
                kind + " " + name + " succeeds",
                () -> phase(client, ONE, kind, name).equals("ScaleSucceeded"));
        until(
                client,
                ONE,
                "the job runs again",
                () -> phase(client, ONE, "TrainingJob", JOB).equals("Running")
                        && status(client, ONE, "TrainingJob", JOB)
                                .get("currentScaler")
                                .equals(""));
    }

    private static void failed(KubernetesClient client, String kind, String name, String why)
            throws InterruptedException {
        until(
                client,
                ONE,
                kind + " " + name + " fails",
                () -> phase(client, ONE, kind, name).equals("ScaleFailed"));
        List<?> conditions = (List<?>) status(client, ONE, kind, name).get("conditions");
        Map<?, ?> last = (Map<?, ?>) conditions.get(conditions.size() - 1);
        Checks.check(
                last.get("type").equals("ScaleFailed")
                        && String.valueOf(last.get("message")).startsWith(why),
                "it fails with " + why + ", was " + last);
    }

    private static List<String> workers(int... indexes) {
        List<String> names = new ArrayList<>();
        for (int index : indexes) {
            names.add(JOB + "-worker-" + index);
        }
        return names;
    }

    private static String hosts(int... indexes) {
        StringBuilder lines = new StringBuilder();
        workers(indexes).forEach(name -> lines.append(name).append(":1\n"));
        return lines.toString();
    }

    /** Checks that exactly these workers exist: pods, Services, status, hosts. */
    private static void left(KubernetesClient client, int... indexes) throws InterruptedException {
        until(client, ONE, "the workers are " + workers(indexes), () -> {
            Map<String, Object> status = status(client, ONE, "TrainingJob", JOB);
            Set<String> pods = new TreeSet<>();
            client.pods()
                    .inNamespace(ONE)
                    .withLabel("training-job-role", "worker")
                    .list()
                    .getItems()
                    .forEach(pod -> pods.add(pod.getMetadata().getName()));
            Set<String> services = new TreeSet<>();
            client.services()
                    .inNamespace(ONE)
                    .list()
                    .getItems()
                    .forEach(service -> services.add(service.getMetadata().getName()));
            return pods.equals(Set.copyOf(workers(indexes)))
                    && services.equals(pods)
                    && workers(indexes).equals(status.get("targetWorkers"))
                    && workers(indexes).equals(status.get("currentWorkers"))
                    && file(client).equals(hosts(indexes));
        });
    }

    private static Pod pod(KubernetesClient client, String replica) {
        return client.pods().inNamespace(ONE).withName(JOB + "-" + replica).get();
    }

    /** Returns what differs for a replaced pod or a restarted container. */
    private static String launcher(KubernetesClient client) {
        Pod launcher = pod(client, "launcher");
        return launcher.getMetadata().getUid() + " "
                + launcher.getStatus().getContainerStatuses().get(0).getContainerID();
    }

    private static boolean account(KubernetesClient client, String kind) {
        String name = JOB + "-launcher";
        return switch (kind) {
            case "sa" ->
                client.serviceAccounts().inNamespace(ONE).withName(name).get() != null;
            case "role" -> client.rbac().roles().inNamespace(ONE).withName(name).get() != null;
            default ->
                client.rbac().roleBindings().inNamespace(ONE).withName(name).get() != null;
        };
    }

    private static void attached(KubernetesClient client, int index) throws InterruptedException {
        until(
                client,
                ONE,
                "the launcher has a process on worker " + index,
                () -> exec(client, ONE, "ls", "/tmp").contains("on-" + JOB + "-worker-" + index));
    }

    private static String file(KubernetesClient client) {
        return exec(client, ONE, "cat", HOSTS);
    }

    private static String exec(KubernetesClient client, String namespace, String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var watch = client.pods()
                .inNamespace(namespace)
                .withName(JOB + "-launcher")
                .inContainer("launcher")
                .writingOutput(out)
                .exec(command)) {
            watch.exitCode().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException
                | java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void until(KubernetesClient client, String namespace, String what, BooleanSupplier holds)
            throws InterruptedException {
        Checks.until(
                what,
                () -> {
                    List<Object> all = new ArrayList<>();
                    for (String kind : List.of("TrainingJob", "ScaleIn", "ScaleOut")) {
                        kind(client, namespace, kind)
                                .list()
                                .getItems()
                                .forEach(object -> all.add("\n"
                                        + object.getMetadata().getName() + " "
                                        + object.getAdditionalProperties().get("status")));
                    }
                    client.pods()
                            .inNamespace(namespace)
                            .list()
                            .getItems()
                            .forEach(pod -> all.add("\n" + pod.getMetadata().getName() + " "
                                    + pod.getStatus().getPhase()));
                    return all;
                },
                holds);
    }
}
