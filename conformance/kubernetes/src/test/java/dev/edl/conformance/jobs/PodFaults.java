package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Checks faults of single pods: each fault is real, and the job's messages are checked word by word. */
@OnCluster("--nodes 3")
class PodFaults {
    private static final String NAMESPACE = "edl-faults";
    private static final String FOR_EVER = "trap 'exit 143' TERM; while true; do sleep 0.1; done";

    private final KubernetesClient client;

    private PodFaults(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void the_job_reports_the_end_of_a_pod() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            new PodFaults(client).run();
            client.namespaces().withName(NAMESPACE).delete();
        }
    }

    private void run() throws Exception {
        PodOptions plain = options();
        PodOptions never = plain.toBuilder().imagePullPolicy("Never").build();
        PodOptions secret = plain.toBuilder()
                .role("worker", w -> w.secretEnv("KEY", "s3", "key"))
                .build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, plain);
                KubernetesExecutor neverPulling = KubernetesExecutor.using(client, never);
                KubernetesExecutor withSecret = KubernetesExecutor.using(client, secret)) {
            // It takes the longest, so it starts first.
            KubernetesRun held = executor.submit(job("held", w -> {}));
            running(held, "elasticdl-held-ps-0");
            hold("elasticdl-held-ps-0");

            exitCodes(executor);
            outOfMemory(executor);
            images(executor, neverPulling);
            missingSecret(withSecret);
            unschedulable(executor);
            held(held);
        }
    }

    private static PodOptions options() {
        return PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
    }

    private static Job job(String name, Consumer<RoleBuilder> workers) {
        return base(name).workers(1, workers).build();
    }

    private static JobBuilder base(String name) {
        return Job.named(name)
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .command("sh", "-c", FOR_EVER)
                .request("cpu=100m,memory=16Mi")
                .master(all -> {})
                .ps(1, all -> {});
    }

    private void exitCodes(KubernetesExecutor executor) throws Exception {
        String script = "case $HOSTNAME in"
                + " *-worker-0) { echo reading; echo 'ERROR: no file /data/x'; } >&2; exit 1;;"
                + " *-worker-1) exit 137;;"
                + " *-worker-2) exit 1;;"
                + " *-worker-3) exec nosuchprogram;;"
                + " *) sleep 1000;; esac";
        KubernetesRun run = executor.submit(
                base("codes").workers(2, w -> w.command("sh", "-c", script)).build());
        // Worker-0 uses its only relaunch and 137 is free, so the ids of the next workers depend on which one ended
        // first.
        said(run, "elasticdl-codes-worker-0 failed: exit code 1 (Error): reading | ERROR: no file /data/x");
        said(run, "elasticdl-codes-worker-1 failed: exit code 137 (Error)");
        said(run, "Relaunch the worker: elasticdl-codes-worker-0");
        said(run, "Relaunch the worker: elasticdl-codes-worker-1");
        shown("a worker that failed says its exit code and its last words: relaunched once, a killed one for free");
        run.cancel();

        KubernetesRun fatal =
                executor.submit(job("fatal", w -> w.command("sh", "-c", "echo 'the model diverged'; exit 70")));
        JobStatus end = fatal.await(Checks.LIMIT);
        same(
                end.message(),
                "elasticdl-fatal-worker-0 failed with exit code 70 (Error): the model diverged, which is fatal for the job");
        shown("a fatal exit code ends the job: " + end.message());

        KubernetesRun nothing =
                executor.submit(job("nothing", w -> w.command("/bin/nosuch").relaunchLimit(0)));
        JobStatus noProgram = nothing.await(Checks.LIMIT);
        Checks.check(
                noProgram.phase() == JobPhase.FAILED, "a command that is not there must end the job, but " + noProgram);
        Checks.check(
                noProgram
                                .message()
                                .startsWith(
                                        "All workers failed; the last one was elasticdl-nothing-worker-0: exit code 128 (StartError): ")
                        && noProgram.message().contains("\"/bin/nosuch\"")
                        && noProgram.message().endsWith("; the role's command is not in its image"),
                "a command that is not there must be named, but: " + noProgram.message());
        shown("a command that is not in the image: " + noProgram.message());
    }

    private void outOfMemory(KubernetesExecutor executor) throws Exception {
        // containerd may see the end of a container before the OOM event, and then reports Error.
        JobStatus end = memory(executor, 0);
        int tries = 1;
        while (!end.message().contains("(OOMKilled)") && tries < 4) {
            end = memory(executor, tries++);
        }
        same(
                end.message(),
                "All workers failed; the last one was elasticdl-memory-" + (tries - 1)
                        + "-worker-0: exit code 137 (OOMKilled): it ran out of"
                        + " memory at its limit of 16Mi; raise the role's memory");
        shown("want of memory: " + end.message());
    }

    private JobStatus memory(KubernetesExecutor executor, int number) throws InterruptedException {
        return executor.submit(job(
                        "memory-" + number,
                        w -> w.limit("memory=16Mi")
                                .relaunchLimit(0)
                                .command(
                                        "sh",
                                        "-c",
                                        "x=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#x}; sleep 1000")))
                .await(Checks.LIMIT);
    }

    private void images(KubernetesExecutor executor, KubernetesExecutor neverPulling) throws Exception {
        KubernetesRun absent = executor.submit(job("absent", w -> w.image("127.0.0.1:9/nosuch:1")));
        KubernetesRun unnamed = executor.submit(job("unnamed", w -> w.image("edl.local/No_Such:1")));
        KubernetesRun unloaded = neverPulling.submit(job("unloaded", w -> w.image("edl.local/nosuch:2")));
        // The kubelet may be in ImagePullBackOff before the driver observes the failed pull.
        String blocked = said(absent, "elasticdl-absent-worker-0 cannot start: ");
        Checks.check(
                blocked.matches("(?s).* cannot start: (ErrImagePull|ImagePullBackOff): .*")
                        && blocked.contains("127.0.0.1:9/nosuch:1")
                        && blocked.endsWith("whether its registry needs an imagePullSecret"),
                "it must name the image and say what to do, but: " + blocked);
        shown(blocked);
        shown(said(unnamed, "elasticdl-unnamed-worker-0 cannot start: InvalidImageName: "));
        shown(said(unloaded, "elasticdl-unloaded-worker-0 cannot start: ErrImageNeverPull: "));
        Checks.until(
                "the table says ImagePullBackOff as kubectl does",
                absent::status,
                () -> absent.status().table().contains("0/1     ImagePullBackOff"));
        for (KubernetesRun run : List.of(absent, unnamed, unloaded)) {
            run.cancel();
        }
    }

    private void missingSecret(KubernetesExecutor executor) throws Exception {
        KubernetesRun run = executor.submit(job("secret", w -> {}));
        // A kubelet that gets no response within a second reports this instead.
        String blocked = said(run, "elasticdl-secret-worker-0 cannot start: CreateContainerConfigError: ");
        Checks.check(
                blocked.matches(
                        ".*: (secret \"s3\" not found|failed to sync secret cache: .*); create the missing object in"
                                + " namespace "
                                + NAMESPACE + "; the replica then starts by itself"),
                "what is missing must be named, but: " + blocked);
        client.secrets()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("s3")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .addToStringData("key", "x")
                        .build())
                .create();
        running(run, "elasticdl-secret-worker-0");
        shown("a Secret that is missing is named, and the replica starts once it is made");
        run.cancel();
    }

    private void unschedulable(KubernetesExecutor executor) throws Exception {
        KubernetesRun run = executor.submit(job("huge", w -> w.request("cpu=1000,memory=16Mi")));
        String waits =
                said(run, "elasticdl-huge-worker-0 waits: Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.");
        Checks.check(
                waits.endsWith("; it starts once a node has capacity; a lower request or a higher priority helps"),
                "it must say what to do, but: " + waits);
        shown(waits);
        run.cancel();
    }

    /** Adds a finalizer to a parameter server's pod, whose successor has the same name. */
    private void hold(String pod) {
        client.pods()
                .inNamespace(NAMESPACE)
                .withName(pod)
                .edit(p -> new PodBuilder(p)
                        .editMetadata()
                        .addToFinalizers("example.com/hold")
                        .endMetadata()
                        .build());
        client.pods().inNamespace(NAMESPACE).withName(pod).delete();
    }

    private void held(KubernetesRun run) throws Exception {
        String blocked = said(run, "elasticdl-held-ps-0 cannot be relaunched");
        same(
                blocked,
                "elasticdl-held-ps-0 cannot be relaunched: its old object still exists 1m after the grace period;"
                        + " force-deleting it; Terminating: it stays until its finalizers are removed:"
                        + " example.com/hold");
        shown(blocked);
        client.pods()
                .inNamespace(NAMESPACE)
                .withName("elasticdl-held-ps-0")
                .edit(p -> new PodBuilder(p)
                        .editMetadata()
                        .withFinalizers()
                        .endMetadata()
                        .build());
        running(run, "elasticdl-held-ps-0");
        shown("once it is let go, the parameter server runs again under its name");
    }

    private static void running(KubernetesRun run, String replica) throws InterruptedException {
        Checks.until(
                replica + " runs",
                () -> run + "\n" + run.events(),
                () -> run.status().replicas().stream()
                        .anyMatch(r -> r.name().equals(replica) && r.status().equals("Running")));
    }

    /** Waits until the job has emitted an event with this prefix. */
    private static String said(KubernetesRun run, String start) throws InterruptedException {
        Checks.until(
                "an event begins with \"" + start + "\"",
                () -> run + "\n" + run.events(),
                () -> run.events().stream().anyMatch(e -> e.message().startsWith(start)));
        return run.events().stream()
                .map(e -> e.message())
                .filter(m -> m.startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    private static void same(String seen, String expected) {
        Checks.check(seen.equals(expected), "expected \"" + expected + "\", was \"" + seen + "\"");
    }

    private static void shown(String what) {
        System.out.println("kubernetes: " + what);
    }
}
