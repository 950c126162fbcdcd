package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.DriverPod;
import dev.edl.k8s.KubernetesDriver;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.Backoff;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks a job that is handed over to a pod. The pod drives it with an account of minimal permissions, and dies twice.
 * Java and this program's class path are the machine's own, mounted into the pod.
 */
@OnCluster("--nodes 3")
class InCluster {
    private static final String NAMESPACE = "edl-incluster";
    private static final PodOptions OPTIONS = PodOptions.builder()
            .runAsUser(1000)
            .pod(pod -> pod.edit()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec()
                    .build())
            .build();

    private final KubernetesClient client;

    private InCluster(KubernetesClient client) {
        this.client = client;
    }

    /** Program of the driver's pod. */
    static final class Driver {
        private Driver() {}

        public static void main(String[] args) throws InterruptedException {
            System.exit(KubernetesDriver.run(OPTIONS, args));
        }
    }

    @Test
    void a_pod_drives_a_job_and_dies_twice() throws Exception {
        Path classes = Files.createTempDirectory(
                "edl-incluster", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            InCluster check = new InCluster(client);
            check.drives(classes);
            check.least();
            client.namespaces().withName(NAMESPACE).delete();
        } finally {
            delete(classes);
        }
    }

    private static Job job(String name, int workers) {
        return Job.named(name)
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .command("sh", "-c", "trap 'exit 143' TERM; while [ ! -e /tmp/go ]; do sleep 0.1; done")
                .request("cpu=100m,memory=16Mi")
                .master()
                .workers(workers)
                .build();
    }

    private void drives(Path classes) throws Exception {
        DriverPod driver = DriverPod.of("edl.local/busybox:1")
                .java(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .classPath(copy(classes))
                .mainClass(Driver.class.getName())
                .nodeNotices()
                .pod(pod -> mounted(pod, classes));
        Checks.command("kubectl", "create", "clusterrole", "edl-node-notices", "--verb=list,watch", "--resource=nodes");
        Checks.command(
                "kubectl",
                "create",
                "clusterrolebinding",
                "edl-driver-mnist",
                "--clusterrole=edl-node-notices",
                "--serviceaccount=" + NAMESPACE + ":edl-driver-mnist");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, OPTIONS)) {
            KubernetesRun run = executor.submit(job("mnist", 2));
            until(
                    "the job runs",
                    () -> run.status().replicas().stream()
                                    .filter(r -> r.status().equals("Running"))
                                    .count()
                            == 3);
            executor.handOver(NAMESPACE, "mnist", driver);
        }
        until("a pod drives the job", () -> mark().startsWith("driver-pod/"));
        delete("worker-0");
        until("the driver relaunches a worker", () -> pods().contains("worker-2"));
        System.out.println("kubernetes: a pod drives the job, and relaunched a worker");

        // This signal ends Java, and the kubelet restarts it.
        String first = mark();
        exec(driverPod(), "kill", "-TERM", "1");
        delete("worker-1");
        until("the driver is started again and goes on", () -> !mark().equals(first) && pods().contains("worker-3"));
        String second = mark();
        String name = driverPod();
        client.pods().inNamespace(NAMESPACE).withName(name).delete();
        delete("worker-2");
        until(
                "another pod drives the job",
                () -> !mark().equals(second) && !driverPod().equals(name) && pods().contains("worker-4"));
        until("no pod is there twice", () -> pods().equals(Set.of("master", "worker-3", "worker-4")));
        System.out.println("kubernetes: the driver died twice, as a process and with its pod, and another went on");

        leavesNode();

        until(
                "the master runs",
                () -> client.pods()
                        .inNamespace(NAMESPACE)
                        .withName("elasticdl-mnist-master")
                        .isReady());
        exec("elasticdl-mnist-master", "touch", "/tmp/go");
        until(
                "the job ends, its workers are removed and its driver is done",
                () -> record().get("phase").equals("SUCCEEDED")
                        && pods().equals(Set.of("master"))
                        && Optional.ofNullable(driverJob().getStatus().getSucceeded())
                                .equals(Optional.of(1)));
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, OPTIONS)) {
            executor.delete(NAMESPACE, "mnist");
        }
        until(
                "one delete leaves nothing",
                () -> pods().isEmpty()
                        && client.batch()
                                .v1()
                                .jobs()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty()
                        && client.rbac()
                                .roles()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty()
                        && client.pods()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty());
        System.out.println("kubernetes: the job ended, its driver with it, and one delete left nothing");
    }

    /** Checks that a worker leaves a cordoned node for any other one with room. */
    private void leavesNode() throws Exception {
        Pod worker = client.pods()
                .inNamespace(NAMESPACE)
                .withName("elasticdl-mnist-worker-3")
                .get();
        String node = worker.getSpec().getNodeName();
        Checks.command("kubectl", "cordon", node);
        until(
                "worker-3 has left " + node,
                () -> !pods().contains("worker-3")
                        && workersOn(node) == 0
                        && pods().size() == 3
                        && client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                                .allMatch(pod -> pod.getSpec().getNodeName() != null));
        Checks.command("kubectl", "uncordon", node);
        Checks.command(
                "kubectl",
                "delete",
                "clusterrole,clusterrolebinding",
                "edl-node-notices",
                "edl-driver-mnist",
                "--ignore-not-found");
        System.out.println(
                "kubernetes: a node was cordoned, and the driver had its worker run elsewhere, now " + pods());
    }

    private long workersOn(String node) {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().contains("worker")
                        && node.equals(pod.getSpec().getNodeName()))
                .count();
    }

    /** Runs a job with the account: with all permissions of its Role, and without each verb. */
    private void least() throws InterruptedException {
        int trial = 0;
        Checks.check(trial(trial++, Optional.empty(), "", false).isEmpty(), "the Role is enough");
        // A pod is read only if its name is taken.
        Optional<String> taken = trial(trial++, Optional.empty(), "", true);
        Checks.check(
                taken.orElse("").contains("does not belong to the job"),
                "a pod that has a replica's name was to be named, but " + taken);
        Map<String, List<String>> verbs = new TreeMap<>(Map.of(
                "configmaps", List.of("get", "update"), "pods", List.of("get", "list", "watch", "create", "delete")));
        List<String> needed = new ArrayList<>();
        for (Map.Entry<String, List<String>> resource : verbs.entrySet()) {
            for (String verb : resource.getValue()) {
                boolean foreign = resource.getKey().equals("pods") && verb.equals("get");
                Optional<String> failure = trial(trial++, Optional.of(resource.getKey()), verb, foreign);
                Checks.check(
                        failure.filter(why -> !why.contains("does not belong")).isPresent(),
                        "without " + verb + " of " + resource.getKey() + " no job can be driven");
                needed.add(verb + " " + resource.getKey());
            }
        }
        System.out.println("kubernetes: the driver's Role is enough, and without any of these it is not: " + needed);
    }

    /**
     * Returns the failure, if any.
     *
     * @param foreign whether a foreign pod has the name that the relaunched worker needs
     */
    private Optional<String> trial(int number, Optional<String> resource, String verb, boolean foreign)
            throws InterruptedException {
        String name = "trial-" + number;
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, OPTIONS)) {
            executor.submit(job(name, 1)).suspend();
            // Its pods do not run and are not awaited: only the account matters.
            executor.handOver(NAMESPACE, name, DriverPod.of("edl.local/none:1").mainClass("none"));
        }
        client.batch()
                .v1()
                .jobs()
                .inNamespace(NAMESPACE)
                .withName("edl-driver-" + name)
                .delete();
        var role = client.rbac().roles().inNamespace(NAMESPACE).withName("edl-driver-" + name);
        resource.ifPresent(of -> role.edit(r -> r.edit()
                .withRules(
                        r.getRules().stream().map(rule -> less(rule, of, verb)).toList())
                .build()));
        RetryPolicy retry = RetryPolicy.of(Backoff.doubling(Duration.ofMillis(50), Duration.ofMillis(50)));
        try (KubernetesClient account = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withImpersonateUsername("system:serviceaccount:" + NAMESPACE + ":edl-driver-" + name)
                        .build())
                .build()) {
            until(
                    "the Role counts",
                    () -> allowed(account, name, "pods", "create")
                                    == !(resource.equals(Optional.of("pods")) && verb.equals("create"))
                            && resource.stream().noneMatch(of -> allowed(account, name, of, verb)));
            try (KubernetesExecutor executor = KubernetesExecutor.builder()
                    .client(account)
                    .options(OPTIONS)
                    .retry(retry)
                    .build()) {
                KubernetesRun run = executor.attach(NAMESPACE, name);
                run.resume();
                BooleanSupplier failed =
                        () -> run.events().stream().anyMatch(e -> e.type() == JobEvent.Type.SUBSTRATE_FAILED);
                until("both replicas run, or something fails", () -> failed.getAsBoolean() || running(run) == 2);
                if (!failed.getAsBoolean()) {
                    String worker = run.status().replicas().stream()
                            .filter(r ->
                                    r.name().contains("worker") && r.status().equals("Running"))
                            .findFirst()
                            .orElseThrow()
                            .name();
                    if (foreign) {
                        int last = worker.lastIndexOf('-') + 1;
                        Checks.foreign(
                                client,
                                NAMESPACE,
                                worker.substring(0, last) + (Integer.parseInt(worker.substring(last)) + 1));
                    }
                    run.delete(worker);
                    until(
                            "a worker is relaunched, or something fails",
                            () -> failed.getAsBoolean()
                                    || (running(run) == 2
                                            && run.status().replicas().stream()
                                                    .noneMatch(r -> r.name().equals(worker))));
                }
                return run.events().stream()
                        .filter(e -> e.type() == JobEvent.Type.SUBSTRATE_FAILED)
                        .map(JobEvent::message)
                        .findFirst();
            }
        } catch (KubernetesClientException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } finally {
            client.configMaps()
                    .inNamespace(NAMESPACE)
                    .withName("edl-job-" + name)
                    .delete();
        }
    }

    private static long running(KubernetesRun run) {
        return run.status().replicas().stream()
                .filter(r -> r.status().equals("Running"))
                .count();
    }

    private static PolicyRule less(PolicyRule rule, String resource, String verb) {
        return rule.getResources().contains(resource)
                ? new PolicyRuleBuilder(rule).removeFromVerbs(verb).build()
                : rule;
    }

    private static boolean allowed(KubernetesClient account, String job, String resource, String verb) {
        return account.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withNamespace(NAMESPACE)
                        .withResource(resource)
                        .withName(resource.equals("configmaps") ? "edl-job-" + job : null)
                        .withVerb(verb)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private Map<String, String> record() {
        ConfigMap record = client.configMaps()
                .inNamespace(NAMESPACE)
                .withName("edl-job-mnist")
                .get();
        return record.getData();
    }

    private String mark() {
        return record().get("driver");
    }

    private io.fabric8.kubernetes.api.model.batch.v1.Job driverJob() {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace(NAMESPACE)
                .withName("edl-driver-mnist")
                .get();
    }

    private String driverPod() {
        return client.pods().inNamespace(NAMESPACE).withLabel("edl.dev/drives", "mnist").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(pod -> pod.getMetadata().getName())
                .findFirst()
                .orElse("");
    }

    private Set<String> pods() {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .map((Pod pod) -> pod.getMetadata().getName())
                .filter(name -> name.startsWith("elasticdl-mnist-"))
                .map(name -> name.replace("elasticdl-mnist-", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void delete(String replica) {
        client.pods()
                .inNamespace(NAMESPACE)
                .withName("elasticdl-mnist-" + replica)
                .delete();
    }

    private void exec(String pod, String... command) {
        client.pods()
                .inNamespace(NAMESPACE)
                .withName(pod)
                .writingOutput(System.out)
                .exec(command)
                .close();
    }

    private void until(String what, BooleanSupplier holds) throws InterruptedException {
        Checks.until(what, () -> pods() + "; the driver " + driverPod() + " says\n" + said(), holds);
    }

    private String said() {
        try {
            return client.pods().inNamespace(NAMESPACE).withName(driverPod()).getLog();
        } catch (KubernetesClientException e) {
            return "nothing: " + e.getMessage();
        }
    }

    /** Copies this program's class path into a world-readable folder, without the parts that a driver does not need. */
    private static String copy(Path into) throws IOException {
        List<String> path = new ArrayList<>(List.of(into + "/*"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            if (Files.isDirectory(from)) {
                Path to = into.resolve("classes-" + path.size());
                try (Stream<Path> all = Files.walk(from)) {
                    for (Path file : (Iterable<Path>) all::iterator) {
                        Files.copy(file, to.resolve(from.relativize(file).toString()));
                    }
                }
                path.add(to.toString());
            } else if (from.getFileName()
                    .toString()
                    .matches("(kubernetes-|jackson|snakeyaml|slf4j|zjsonpatch|jspecify|edl-).*")) {
                Files.copy(from, into.resolve(from.getFileName()));
            }
        }
        return String.join(File.pathSeparator, path);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Mounts Java, its libraries, its settings behind their links, and the classes. */
    private static PodTemplateSpec mounted(PodTemplateSpec template, Path classes) {
        Set<String> paths = new TreeSet<>(Set.of(classes.toString(), "/usr", "/lib", "/lib64"));
        Path home = Path.of(System.getProperty("java.home"));
        paths.add(home.toString());
        try (Stream<Path> conf = Files.walk(home.resolve("conf"))) {
            for (Path file : (Iterable<Path>) conf::iterator) {
                paths.add(file.toRealPath().getParent().toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // A nested folder is mounted with its parent.
        paths.removeIf(
                path -> paths.stream().anyMatch(other -> path.startsWith(other + "/")) || !Files.exists(Path.of(path)));
        PodTemplateSpecBuilder pod = new PodTemplateSpecBuilder(template);
        int number = 0;
        for (String path : paths) {
            String name = "host-" + number++;
            pod.editSpec()
                    .addNewVolume()
                    .withName(name)
                    .withNewHostPath(path, "Directory")
                    .endVolume()
                    .editFirstContainer()
                    .addNewVolumeMount()
                    .withName(name)
                    .withMountPath(path)
                    .withReadOnly(true)
                    .endVolumeMount()
                    .endContainer()
                    .endSpec();
        }
        return pod.editSpec()
                .editSecurityContext()
                .withRunAsUser(1000L)
                .endSecurityContext()
                .endSpec()
                .build();
    }
}
