package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Frameworks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import dev.edl.operators.controller.Controller;
import dev.edl.operators.controller.ControllerBuilder;
import dev.edl.operators.controller.JobKinds;
import dev.edl.operators.controller.ManagedKind;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.spec.Volume;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that Horovod itself trains in the pods of a TrainingJob, which EDL's controller reconciles. Its launcher reaches
 * the workers by {@code kubexec.sh}, which Horovod calls in place of ssh, and follows the hosts by
 * {@code discover_hosts.sh}. It is scaled out and in while it trains, and loses a worker.
 */
@OnCluster("--nodes 3")
class Horovod {
    private static final String NAMESPACE = "edl-horovod";
    private static final String JOB = "elastic-training";
    /** For a pod's start, and for Horovod to form a group again on a busy machine. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final KubernetesClient client;
    private final Frameworks horovod;
    private final CustomResourceRun run;

    private Horovod(KubernetesClient client, Frameworks horovod, CustomResourceRun run) {
        this.client = client;
        this.horovod = horovod;
        this.run = run;
    }

    @Test
    void horovod_trains_while_its_workers_come_and_go() throws Exception {
        Frameworks horovod = Frameworks.of("horovod", Cluster.scripts());
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            for (ManagedKind kind : JobKinds.trainingJob()) {
                Checks.install(client, kind.definition());
            }
            Checks.namespace(client, NAMESPACE, false);
            ControllerBuilder builder = Controller.using(client).identity("check");
            JobKinds.trainingJob("edl.local/busybox:1").forEach(builder::kind);
            PodOptions options = Frameworks.OPTIONS.toBuilder().kubexec().build();
            try (Controller controller = builder.start();
                    CustomResourceExecutor executor =
                            CustomResourceExecutor.using(client, CustomResourceKind.trainingJob(), options)) {
                System.out.println(controller);
                CustomResourceRun run = executor.submit(job(horovod));
                OperatorCase.print(run);
                new Horovod(client, horovod, run).check();
                executor.delete(NAMESPACE, JOB);
                Checks.until(
                        "nothing is left",
                        () -> run,
                        () -> client.pods()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty());
            }
            client.namespaces().withName(NAMESPACE).delete();
        } finally {
            horovod.remove();
        }
    }

    /** Returns the operator's example, with the Python of this machine and a program that a check can follow. */
    private static Job job(Frameworks horovod) {
        JobBuilder job = Job.named(JOB)
                .namespace(NAMESPACE)
                .horovod()
                .image("edl.local/busybox:1")
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env("PYTHONWARNINGS", "ignore")
                .request("cpu=200m,memory=256Mi")
                .limit("cpu=2,memory=2Gi")
                .volume(Volume.hostPath(kubectl(), "/usr/local/bin/kubectl").readOnly(true));
        for (Volume volume : horovod.volumes) {
            job.volume(volume);
        }
        String program = horovod.programs + "/horovod/";
        return job.launcher(launcher -> launcher.command(
                        horovod.python,
                        program + "horovodrun.py",
                        "-np",
                        "2",
                        "--min-np",
                        "1",
                        "--max-np",
                        "9",
                        "--host-discovery-script",
                        "/etc/edl/discover_hosts.sh",
                        // Without it, Horovod never returns to a host on which a process failed.
                        "--blacklist-cooldown-range",
                        "10",
                        "60",
                        "--start-timeout",
                        "120",
                        horovod.python,
                        program + "pods.py"))
                .workers(2, workers -> workers.elastic(1, 9))
                .build();
    }

    /** Returns the cluster's kubectl, which an image for kubexec has. */
    private static String kubectl() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "kubectl"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private void check() throws Exception {
        trains("Horovod trains by 2", 2);
        Checks.check(workers().equals(Set.of(worker(0), worker(1))), "there are two workers, was " + workers());
        System.out.println("kubernetes: horovodrun of a TrainingJob trains on 2 workers, reached by kubexec.sh");

        run.scale("worker", 3);
        trains("it trains by 3 after a ScaleOut", 3);
        succeeded("ScaleOut");
        System.out.println("kubernetes: a ScaleOut while it trained: 3 processes, loss " + last());

        String lost = uid(1);
        int before = horovod.losses().size();
        run.delete("worker-1");
        Checks.until(
                "it goes on by 2 after the loss of a worker",
                LIMIT,
                this::state,
                () -> horovod.losses().stream()
                                .skip(before)
                                .filter(line -> line.endsWith(" 2"))
                                .count()
                        >= 3);
        Checks.until("the worker is back", LIMIT, this::state, () -> !uid(1).isEmpty() && !uid(1).equals(lost));
        trains("it trains by 3 again", 3);
        System.out.println(
                "kubernetes: a worker was deleted: 2 processes went on, and 3 from its return on, loss " + last());

        // Rank 0 runs on worker 0, so another process has to write the losses from now on.
        long killed = killed();
        run.scale(ScaleRequest.in(JOB, List.of(worker(0))).namespace(NAMESPACE));
        trains("it goes on by 2 after a ScaleIn", 2);
        succeeded("ScaleIn");
        Checks.check(
                workers().equals(Set.of(worker(1), worker(2))), "worker 0 left by its name, there are " + workers());
        String removed = worker(0) + "[0] has been removed from elastic job";
        Checks.check(
                log().contains(removed) && killed() == killed,
                "its process was to end by itself with \"" + removed + "\", before its pod\n" + log());
        System.out.println(
                "kubernetes: a ScaleIn of worker 0, which had rank 0: its process ended by itself, 2 went on, loss "
                        + last());

        double first = Double.parseDouble(horovod.losses().get(0).split(" ")[1]);
        Checks.until(
                "the loss is a hundredth of the first",
                LIMIT,
                this::state,
                () -> Double.parseDouble(last()) < first / 100);
        Files.createFile(horovod.shared.resolve("finish"));
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job must succeed, but " + end + "\n" + log());
        goesOn();
        System.out.println("kubernetes: Horovod trained in pods, loss " + horovod.learned());
    }

    /** Waits until a group of this size has made steps which halved the loss. */
    private void trains(String what, int size) throws InterruptedException {
        double before = horovod.losses().isEmpty() ? Double.NaN : Double.parseDouble(last());
        Checks.until(what, LIMIT, this::state, () -> {
            List<Double> losses = horovod.losses().stream()
                    .map(line -> line.split(" "))
                    .filter(fields -> fields.length == 3 && fields[2].equals(String.valueOf(size)))
                    .map(fields -> Double.parseDouble(fields[1]))
                    .toList();
            if (losses.isEmpty()) {
                return false;
            }
            double most = Double.isNaN(before) ? losses.get(0) : before;
            return lastSize() == size && Double.parseDouble(last()) < most / 2;
        });
    }

    /** Checks that no change of the workers began the training anew: a step is repeated once at most, and none is left out. */
    private void goesOn() {
        int step = -1;
        for (String line : horovod.losses()) {
            int next = Integer.parseInt(line.split(" ")[0]);
            Checks.check(next == step || next == step + 1, "after step " + step + " came " + next);
            step = next;
        }
    }

    private String last() {
        List<String> lines = horovod.losses();
        return lines.get(lines.size() - 1).split(" ")[1];
    }

    private int lastSize() {
        List<String> lines = horovod.losses();
        return Integer.parseInt(lines.get(lines.size() - 1).split(" ")[2]);
    }

    private void succeeded(String kind) throws InterruptedException {
        Checks.until(
                "a " + kind + " succeeds",
                this::state,
                () -> client
                        .genericKubernetesResources(
                                CustomResourceKind.trainingJob().apiVersion(), kind)
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems()
                        .stream()
                        .anyMatch(one -> String.valueOf(
                                        one.getAdditionalProperties().get("status"))
                                .contains("phase=ScaleSucceeded")));
    }

    private Set<String> workers() {
        return client.pods().inNamespace(NAMESPACE).withLabel("training-job-role", "worker").list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String worker(int index) {
        return JOB + "-worker-" + index;
    }

    private String uid(int index) {
        Pod pod = client.pods().inNamespace(NAMESPACE).withName(worker(index)).get();
        return pod == null ? "" : pod.getMetadata().getUid();
    }

    /** Returns how many processes ended by SIGKILL, as they do with their pod; horovodrun prints the code of each. */
    private long killed() {
        return log().lines()
                .filter(line -> line.endsWith("exit with status code 137."))
                .count();
    }

    private String log() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withName(JOB + "-launcher")
                .inContainer("launcher")
                .getLog();
    }

    private String state() {
        List<String> lines = horovod.losses();
        return run + "\n" + run.events() + "\n" + lines.subList(Math.max(0, lines.size() - 5), lines.size()) + "\n"
                + log();
    }
}
