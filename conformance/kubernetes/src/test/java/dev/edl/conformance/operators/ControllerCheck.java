package dev.edl.conformance.operators;

import dev.edl.conformance.Checks;
import dev.edl.conformance.HostJava;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.operators.controller.Controller;
import dev.edl.operators.controller.ControllerMain;
import dev.edl.operators.controller.ControllerManifest;
import dev.edl.operators.controller.JobKinds;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks EDL's controller on real nodes: from a developer's kubeconfig, then as the Deployment of its manifest. Its
 * leader is killed and it is upgraded, without an effect on the jobs.
 */
@OnCluster(value = "--nodes 3", alone = true)
class ControllerCheck {
    private static final String MASTER = "while [ ! -e /tmp/go ]; do sleep 0.1; done; sleep 1";
    private static final String WORKER = "trap 'exit 143' TERM; while true; do sleep 0.1; done";

    private final KubernetesClient client;

    private ControllerCheck(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void a_controller_takes_over_from_one_that_is_killed() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new ControllerCheck(client).run();
        }
    }

    private void run() throws Exception {
        for (String namespace : List.of("team-a", "team-b", "team-c")) {
            Checks.namespace(client, namespace, false);
        }
        install();
        Process outside = outside();
        try {
            leader("outside", true);
            Kubectl.run("create", "-f", Checks.file(tfJob("team-a", "example-job")));
            settled("team-a", "example-job", "Running", "Running");
            said("a controller outside of the cluster runs the TfJob that kubectl created: "
                    + Kubectl.table("team-a", "tfjobs", "NAME KINDS PHASE STATE", "example-job TfJob Running Running"));
            defaultServers();
            Map<String, String> before = pods("team-a");

            deploy();
            outside.destroyForcibly();
            String first = leader("outside", false);
            Checks.check(pods("team-a").equals(before), "pods were " + before + ", are " + pods("team-a"));
            relaunched("team-a", "worker");
            said("the leader was killed, " + first + " took over, and made nothing twice");

            client.pods()
                    .inNamespace("edl-system")
                    .withName(first)
                    .withGracePeriod(0)
                    .delete();
            String second = leader(first, false);
            relaunched("team-a", "worker");
            said("the leading pod was killed, and " + second + " took over");

            rollOut();
            relaunched("team-a", "worker");
            said("an upgrade rolled over, and " + leader(second, false) + " leads");
            leavesNode();
            RefusedWorker.check(client, "team-a", "example-job", 6);
            go("team-a");
            settled("team-a", "example-job", "Done", "Succeeded");
            invalid();
            ShortJobs.check("team-b");
            trainingJob();
            Kubectl.run("delete", "-n", "team-a", "tfjob", "example-job");
            Checks.until("nothing is left of the TfJob", () -> pods("team-a"), () -> empty("team-a"));
            said("kubectl delete left nothing of a TfJob, default parameter servers included");
            allowed();
            scoped();
        } finally {
            outside.destroyForcibly();
        }
    }

    /** Installs the manifest without the Deployment, whose pods Pod Security restricted would admit. */
    private void install() {
        for (HasMetadata object : manifest().objects()) {
            if (object instanceof Deployment deployment) {
                Checks.check(
                        PodSecurity.violations(deployment.getSpec().getTemplate())
                                .isEmpty(),
                        "the controller's pods are not restricted");
                client.resource(deployment).dryRun().create();
            } else {
                client.resource(object).create();
            }
        }
    }

    private static ControllerManifest manifest() {
        return ControllerManifest.allNamespaces("edl.local/busybox:1")
                .config("accelerators: {}\n")
                .initContainerImage("edl.local/busybox:1")
                .nodeNotices();
    }

    private static Process outside() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ControllerMain.class.getName(),
                        "--all-namespaces",
                        "--lease-namespace",
                        "edl-system",
                        "--identity",
                        "outside",
                        "--init-container-image",
                        "edl.local/busybox:1")
                .inheritIO()
                .start();
        // Also when a failed check ends this program.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }

    /** Waits until this controller holds the lease, or another one does. */
    private String leader(String name, boolean same) throws InterruptedException {
        Checks.until(
                "the leader is " + (same ? "" : "not ") + name,
                this::holder,
                () -> !holder().isEmpty() && holder().equals(name) == same);
        return holder();
    }

    private String holder() {
        var lease = client.leases()
                .inNamespace("edl-system")
                .withName("edl-controller")
                .get();
        return lease == null || lease.getSpec().getHolderIdentity() == null
                ? ""
                : lease.getSpec().getHolderIdentity();
    }

    /** Installs the manifest's Deployment with this machine's Java and class path instead of an image. */
    private void deploy() throws Exception {
        client.namespaces().withName("edl-system").edit(namespace -> relaxed(namespace));
        Deployment deployment = manifest().objects().stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .findFirst()
                .orElseThrow();
        client.resource(HostJava.in(deployment)).create();
        ready();
    }

    private static Namespace relaxed(Namespace namespace) {
        return namespace
                .edit()
                .editMetadata()
                .withLabels(Map.of())
                .endMetadata()
                .build();
    }

    private void ready() throws InterruptedException {
        var deployment = client.apps().deployments().inNamespace("edl-system").withName("edl-controller");
        Checks.until(
                "two controllers are ready",
                () -> client.pods().inNamespace("edl-system").list().getItems().stream()
                        .map(pod -> pod.getMetadata().getName() + " " + pod.getStatus())
                        .collect(Collectors.joining("\n")),
                () -> {
                    var status = deployment.get().getStatus();
                    return status != null
                            && deployment.get().getMetadata().getGeneration().equals(status.getObservedGeneration())
                            && Integer.valueOf(2).equals(status.getUpdatedReplicas())
                            && Integer.valueOf(2).equals(status.getReadyReplicas())
                            && Integer.valueOf(2).equals(status.getReplicas());
                });
    }

    private void rollOut() throws InterruptedException {
        client.apps()
                .deployments()
                .inNamespace("edl-system")
                .withName("edl-controller")
                .edit(deployment -> deployment
                        .edit()
                        .editSpec()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations("version", "2")
                        .endMetadata()
                        .endTemplate()
                        .endSpec()
                        .build());
        ready();
    }

    private void defaultServers() {
        List<Pod> servers = client.pods()
                .inNamespace("team-a")
                .withLabel("job_type", "PS")
                .list()
                .getItems();
        Checks.check(servers.size() == 2, "there were " + servers.size() + " parameter servers, not 2");
        for (Pod server : servers) {
            List<String> command = server.getSpec().getContainers().get(0).getCommand();
            Checks.check(
                    command.size() == 8 && command.get(1).equals("/ps-server/grpc_tensorflow_server.py"),
                    "a default parameter server ran " + command);
        }
    }

    private void invalid() throws Exception {
        Kubectl.run("create", "-f", Checks.file(tfJob("team-a", "bad").replace("name: tensorflow", "name: main")));
        settled("team-a", "bad", "Failed", "Failed");
        String reason = Kubectl.run("get", "-n", "team-a", "tfjob", "bad", "-o", "jsonpath={.status.reason}");
        Checks.check(
                reason.startsWith(
                        "invalid job spec: spec.replicaSpecs[0]: Replica type MASTER is missing a container named"
                                + " tensorflow"),
                "the reason was " + reason);
        Kubectl.run("delete", "-n", "team-a", "tfjob", "bad");
        said("an invalid TfJob is Failed: " + reason.substring(0, reason.indexOf(';')));
    }

    private void trainingJob() throws Exception {
        Kubectl.run("create", "-f", Checks.file("""
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: TrainingJob
                metadata: {name: elastic-training, namespace: team-b}
                spec:
                  etReplicaSpecs:
                    launcher:
                      replicas: 1
                      template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: launcher, image: "edl.local/busybox:1",
                        command: [sh, -c, "%s"]}]}}
                    worker:
                      replicas: 2
                      minReplicas: 1
                      maxReplicas: 4
                      template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: worker, image: "edl.local/busybox:1",
                        command: [sh, -c, "%s"]}]}}
                """.formatted(MASTER, WORKER)));
        phase("trainingjob", "elastic-training", "Running");
        Kubectl.run("create", "-f", Checks.file(scaler("ScaleOut", "toAdd")));
        phase("scaleout", "by-one", "ScaleSucceeded");
        hosts(3);
        Kubectl.run("create", "-f", Checks.file(scaler("ScaleIn", "toDelete")));
        phase("scalein", "by-one", "ScaleSucceeded");
        hosts(2);
        String tables = String.join(
                " / ",
                Kubectl.table("team-b", "trainingjobs", "NAME PHASE", "elastic-training Running"),
                Kubectl.table("team-b", "scaleouts", "NAME PHASE", "by-one ScaleSucceeded"),
                Kubectl.table("team-b", "scaleins", "NAME PHASE", "by-one ScaleSucceeded"));
        Kubectl.run("exec", "-n", "team-b", "elastic-training-launcher", "-c", "launcher", "--", "touch", "/tmp/go");
        phase("trainingjob", "elastic-training", "Succeeded");
        said("a TrainingJob ran and was scaled out and in: " + tables);
    }

    private static String scaler(String kind, String change) {
        return """
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: %s
                metadata: {name: by-one, namespace: team-b}
                spec: {selector: {name: elastic-training}, %s: {count: 1}, timeout: 120}
                """.formatted(kind, change);
    }

    private void phase(String kind, String name, String phase) throws InterruptedException {
        Checks.until(
                kind + " " + name + " is " + phase,
                () -> Kubectl.run("get", "-n", "team-b", kind, name, "-o", "yaml") + pods("team-b"),
                () -> Kubectl.run("get", "-n", "team-b", kind, name, "-o", "jsonpath={.status.phase}")
                        .equals(phase));
    }

    private static void hosts(int count) {
        String hosts = Kubectl.run(
                "exec",
                "-n",
                "team-b",
                "elastic-training-launcher",
                "-c",
                "launcher",
                "--",
                "cat",
                "/etc/edl/hostfile");
        Checks.check(hosts.lines().count() == count, "the launcher's hosts were to be " + count + ", were " + hosts);
    }

    /** Checks that the manifest's permissions are enough: the API server refused no request of a controller. */
    private void allowed() {
        for (Pod pod : client.pods().inNamespace("edl-system").list().getItems()) {
            String log = client.pods().resource(pod).getLog();
            Checks.check(!log.contains("orbidden"), "a controller was refused something:\n" + log);
        }
        said("the manifest's roles were enough");
    }

    /** Uses the Role of a scoped manifest, with the account's own token. */
    private void scoped() throws Exception {
        client.apps()
                .deployments()
                .inNamespace("edl-system")
                .withName("edl-controller")
                .delete();
        Checks.until(
                "the controllers of all namespaces are gone",
                () -> "pods",
                () -> client.pods().inNamespace("edl-system").list().getItems().isEmpty());
        ControllerManifest.of("edl.local/busybox:1", "team-c").objects().stream()
                .filter(object ->
                        "team-c".equals(object.getMetadata().getNamespace()) && !(object instanceof Deployment))
                .forEach(object -> client.resource(object).create());
        String token =
                Kubectl.run("create", "token", "-n", "team-c", "edl-controller").strip();
        var config = new ConfigBuilder(client.getConfiguration())
                .withClientCertData(null)
                .withClientCertFile(null)
                .withClientKeyData(null)
                .withClientKeyFile(null)
                .withOauthToken(token)
                .build();
        Kubectl.run("create", "-f", Checks.file(tfJob("team-a", "elsewhere")));
        Kubectl.run("create", "-f", Checks.file(tfJob("team-c", "here")));
        try (KubernetesClient account =
                        new KubernetesClientBuilder().withConfig(config).build();
                Controller controller = Controller.using(account)
                        .kind(JobKinds.tfJob())
                        .namespaces("team-c")
                        .identity("scoped")
                        .start()) {
            settled("team-c", "here", "Running", "Running");
            Checks.check(
                    get("team-a", "tfjobs.tensorflow.org", "elsewhere").isBlank(),
                    "a job of another namespace was looked after");
            System.out.println(controller);
        }
        Checks.check(pods("team-c").size() == 6, "the pods went with their controller: " + pods("team-c"));
        said("a controller with the Role of one namespace looks after that one alone");
    }

    private void relaunched(String namespace, String role) throws InterruptedException {
        Pod pod = client.pods()
                .inNamespace(namespace)
                .withLabel("job_type", role.toUpperCase(Locale.ROOT))
                .list()
                .getItems()
                .get(0);
        String name = pod.getMetadata().getName();
        client.pods().resource(pod).delete();
        Checks.until(name + " runs again", () -> pods(namespace), () -> {
            Pod now = client.pods().inNamespace(namespace).withName(name).get();
            return now != null
                    && !now.getMetadata().getUid().equals(pod.getMetadata().getUid())
                    && "Running".equals(now.getStatus().getPhase());
        });
    }

    /** Uses the Role of the manifest, by its flag. */
    private void leavesNode() throws InterruptedException {
        Pod worker = client.pods()
                .inNamespace("team-a")
                .withLabel("job_type", "WORKER")
                .list()
                .getItems()
                .get(0);
        String name = worker.getMetadata().getName();
        String node = worker.getSpec().getNodeName();
        Kubectl.run("cordon", node);
        Checks.until(name + " runs on another node than " + node, () -> pods("team-a"), () -> {
            Pod now = client.pods().inNamespace("team-a").withName(name).get();
            return now != null
                    && !node.equals(now.getSpec().getNodeName())
                    && "Running".equals(now.getStatus().getPhase());
        });
        Kubectl.run("uncordon", node);
        said("a node was cordoned, and a worker of a TfJob left it for another one");
    }

    private void go(String namespace) throws Exception {
        Pod master = client.pods()
                .inNamespace(namespace)
                .withLabel("job_type", "MASTER")
                .list()
                .getItems()
                .get(0);
        Kubectl.run("exec", "-n", namespace, master.getMetadata().getName(), "--", "touch", "/tmp/go");
    }

    private void settled(String namespace, String job, String phase, String state) throws InterruptedException {
        Checks.until(
                job + " is " + phase + " " + state,
                () -> get(namespace, "tfjobs.tensorflow.org", job) + " " + pods(namespace),
                () -> get(namespace, "tfjobs.tensorflow.org", job).equals(phase + " " + state));
    }

    private String get(String namespace, String kind, String name) {
        return Kubectl.run("get", "-n", namespace, kind, name, "-o", "jsonpath={.status.phase} {.status.state}");
    }

    /** Returns names and uids of the pods of a namespace. */
    private Map<String, String> pods(String namespace) {
        Map<String, String> pods = new TreeMap<>();
        client.pods()
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(pod ->
                        pods.put(pod.getMetadata().getName(), pod.getMetadata().getUid()));
        return pods;
    }

    private boolean empty(String namespace) {
        return pods(namespace).isEmpty()
                && client.services().inNamespace(namespace).list().getItems().isEmpty()
                && client.configMaps().inNamespace(namespace).list().getItems().size() == 1;
    }

    /** Returns the operator's own example, with another image, two workers and a load. */
    private static String tfJob(String namespace, String name) {
        return """
                apiVersion: "tensorflow.org/v1alpha1"
                kind: "TfJob"
                metadata: {name: %s, namespace: %s}
                spec:
                  tfImage: edl.local/none:1
                  replicaSpecs:
                    - replicas: 1
                      tfReplicaType: MASTER
                      template:
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers:
                            - image: edl.local/busybox:1
                              name: tensorflow
                              command: ["sh", "-c", "%s"]
                          restartPolicy: OnFailure
                    - replicas: 3
                      tfReplicaType: WORKER
                      template:
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers:
                            - image: edl.local/busybox:1
                              name: tensorflow
                              command: ["sh", "-c", "%s"]
                          restartPolicy: OnFailure
                    - replicas: 2
                      tfReplicaType: PS
                """.formatted(name, namespace, MASTER, WORKER);
    }

    private static void said(String what) {
        System.out.println("kubernetes: " + what);
    }
}
