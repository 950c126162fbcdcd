package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.ExecException.Reason;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Checks that commands run in pods by the exec API end, whatever happens to the pod. */
@OnCluster("--nodes 3")
class Exec {
    private static final String NAMESPACE = "edl-exec";
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void commands_end_however_their_pod_does() throws Exception {
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
        // Its first process ends at once on SIGTERM.
        Job job = Job.named("shell")
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .command("sh", "-c", "trap 'exit 0' TERM; while [ ! -e /tmp/end ]; do sleep 0.1; done; sleep 1; exit 3")
                .request("cpu=100m,memory=16Mi")
                .master()
                .workers(3)
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                    KubernetesRun run = executor.submit(job)) {
                for (String worker : List.of("worker-0", "worker-1", "worker-2")) {
                    running(run, worker);
                }
                values(run);
                ends(client, run);
                executor.delete(NAMESPACE, "shell");
            }
            client.namespaces().withName(NAMESPACE).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    private static void values(KubernetesRun run) throws InterruptedException {
        PodResult said = run.exec("worker-0", LONG, "sh", "-c", "echo out; echo err >&2; exit 7");
        Checks.check(said.equals(new PodResult(7, "out\n", "err\n", 0)), "an exit code and both outputs, was " + said);
        PodResult literal = run.exec("worker-0", LONG, "echo", "$HOME `id` 'a b'");
        Checks.check(literal.out().equals("$HOME `id` 'a b'\n"), "words that no shell reads, was " + literal.out());
        System.out.println("kubernetes: a command in a pod gives its exit code, its output and its error output");

        PodResult read = run.exec("worker-0", PodCommand.of("head", "-c", "6").input("ümlaut"));
        Checks.check(read.out().equals("ümlau"), "the first six bytes of the input, was " + read.out());
        String much = "0123456789abcdef".repeat(1 << 16);
        PodResult count = run.exec(
                "worker-0",
                PodCommand.of("sh", "-c", "head -c " + much.length() + " | wc -c")
                        .input(much));
        Checks.check(count.out().strip().equals(Integer.toString(much.length())), "a mebibyte of input, was " + count);
        System.out.println("kubernetes: a command reads a mebibyte of input");

        PodResult big = run.exec(
                "worker-0", PodCommand.of("sh", "-c", "yes | head -c 5000000").keep(1000));
        Checks.check(
                big.exitCode() == 0 && big.out().equals("y\n".repeat(500)) && big.dropped() == 5_000_000 - 1000,
                "1000 of 5 000 000 bytes kept, was " + big.out().length() + " and " + big.dropped());
        System.out.println("kubernetes: of 5 MB of output the first 1000 bytes are kept, and the rest is counted");

        ExecException missing = fails(() -> run.exec("worker-0", LONG, "no-such-program"));
        Checks.check(
                missing.reason() == Reason.NOT_STARTED && missing.getMessage().contains("no-such-program"),
                "a missing program is NOT_STARTED, was " + missing.reason() + ": " + missing.getMessage());
        System.out.println("kubernetes: a missing program: " + missing.getMessage());

        long began = System.nanoTime();
        ExecException late = fails(() -> run.exec("worker-0", Duration.ofSeconds(10), "sleep", "1000"));
        Checks.check(
                late.reason() == Reason.LIMIT && since(began) < 40_000,
                "the limit of ten seconds, was " + late.getMessage() + " after " + since(began) + " ms");
        System.out.println("kubernetes: a limit: " + late.getMessage());

        try {
            run.exec("wroker-0", LONG, "true");
            Checks.check(false, "an unknown replica is refused");
        } catch (IllegalArgumentException e) {
            Checks.check(
                    e.getMessage().endsWith("the nearest is \"worker-0\""),
                    "the nearest replica, was " + e.getMessage());
        }
    }

    private static void ends(KubernetesClient client, KubernetesRun run) throws Exception {
        String pod = "elasticdl-shell-worker-";
        ended(run, "worker-0", Reason.POD_GONE, "its pod was deleted", name -> {
            client.pods().inNamespace(NAMESPACE).withName(pod + 0).delete();
        });
        running(run, "worker-3");
        ended(run, "worker-1", Reason.POD_GONE, "its pod was deleted at once", name -> {
            client.pods()
                    .inNamespace(NAMESPACE)
                    .withName(pod + 1)
                    .withGracePeriod(0)
                    .delete();
        });
        running(run, "worker-4");
        // The host kills the first process of the container, as the kernel does when it runs out of memory.
        ended(run, "worker-2", Reason.CONTAINER_ENDED, "its container was killed", name -> kill(pod + 2));
        running(run, "worker-5");
        ended(run, "worker-3", Reason.CONTAINER_ENDED, "its container ended", name -> {
            try {
                run.exec("worker-3", LONG, "touch", "/tmp/end");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ExecException before = fails(() -> run.exec("elasticdl-shell-worker-3", LONG, "true"));
        Checks.check(
                before.reason() != Reason.LIMIT,
                "no command in a container that has ended, was " + before.getMessage());
        System.out.println("kubernetes: no command starts there: " + before.getMessage());
    }

    private static Object kill(String pod) {
        List<ProcessHandle> processes = ProcessHandle.allProcesses()
                .filter(process -> read(process, "environ").contains("HOSTNAME=" + pod + "\0"))
                .filter(process -> read(process, "cmdline").contains("/tmp/end"))
                .toList();
        Checks.check(!processes.isEmpty(), "the processes of " + pod + " are found on this machine");
        processes.forEach(ProcessHandle::destroyForcibly);
        return processes;
    }

    private static String read(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Starts a command without end, and changes its pod. */
    private static void ended(KubernetesRun run, String replica, Reason reason, String what, Consumer<String> deed)
            throws Exception {
        CompletableFuture<ExecException> end = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                end.complete(fails(() -> run.exec(replica, LONG, "sh", "-c", "touch /tmp/begun; exec sleep 10000")));
            } catch (InterruptedException | RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        waiting.start();
        Checks.until("a command runs in " + replica, () -> run, () -> begun(run, replica));
        deed.accept(replica);
        long began = System.nanoTime();
        ExecException failure = end.get(60, TimeUnit.SECONDS);
        waiting.join();
        Checks.check(
                failure.reason() == reason && since(began) < 10_000,
                "when " + what + ": " + reason + ", was " + failure.reason() + " after " + since(began) + " ms: "
                        + failure.getMessage());
        System.out.println("kubernetes: a command ends when " + what + ", after "
                + Math.round(since(began) / 100.0) / 10.0 + " s: " + failure.getMessage());
    }

    private static boolean begun(KubernetesRun run, String replica) {
        try {
            return run.exec(replica, Checks.LIMIT, "test", "-e", "/tmp/begun").succeeded();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Command {
        PodResult run() throws InterruptedException;
    }

    private static ExecException fails(Command command) throws InterruptedException {
        try {
            PodResult result = command.run();
            Checks.check(false, "a command that fails, was " + result);
            throw new IllegalStateException();
        } catch (ExecException e) {
            return e;
        }
    }

    private static long since(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }

    private static void running(KubernetesRun run, String replica) throws InterruptedException {
        Checks.until(
                replica + " runs",
                () -> run,
                () -> run.status().replicas().stream()
                        .anyMatch(r -> r.name().endsWith(replica) && r.status().equals("Running")));
    }
}
