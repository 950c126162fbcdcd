package dev.edl.conformance;

import dev.edl.exec.ReplicaStatus;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Framework installed on this machine, for pods whose image has none. The pods mount its Python, the system's libraries
 * and the training programs read-only, and share a writable folder.
 */
public final class Frameworks {
    /** As the first process of its container, Python ends only by SIGKILL. */
    public static final PodOptions OPTIONS = PodOptions.builder()
            .pod(pod -> pod.edit()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec()
                    .build())
            .build();

    public final String python;
    public final String programs;
    public final Path shared;
    public final List<Volume> volumes;

    private Frameworks(String python, List<String> prefixes, Path programs, Path shared) {
        this.python = python;
        this.programs = programs.toString();
        this.shared = shared;
        this.volumes = Stream.concat(
                        Stream.concat(
                                        Stream.of(
                                                "/usr/lib:/usr/lib",
                                                "/usr/lib:/lib",
                                                "/usr/lib64:/lib64",
                                                programs + ":" + programs),
                                        prefixes.stream().map(prefix -> prefix + ":" + prefix))
                                .map(pair -> Volume.hostPath(pair.replaceFirst(":.*", ""), pair.replaceFirst(".*:", ""))
                                        .readOnly(true)),
                        Stream.of(Volume.hostPath(shared.toString(), "/shared")))
                .toList();
    }

    /** Returns a framework by its name in conformance/install, with the folder of the cluster's scripts. */
    public static Frameworks of(String name, String cluster) throws IOException {
        Path conformance = Path.of(cluster).toAbsolutePath().resolveSibling("");
        String python = output(conformance.resolve("install").toString(), name);
        List<String> prefixes = output(python, "-c", "import sys; print(sys.prefix); print(sys.base_prefix)")
                .lines()
                .distinct()
                .filter(prefix -> !prefix.equals("/usr"))
                .toList();
        return new Frameworks(
                python, prefixes, conformance.resolve("frameworks"), Files.createTempDirectory("edl-frameworks"));
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Returns the lines "step loss" that the training has written so far. */
    public List<String> losses() {
        Path file = shared.resolve("losses");
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a number of further lines. */
    public void trains(String what, KubernetesRun run, int more) throws InterruptedException {
        int before = losses().size();
        // Five processes that load a framework at once are slow.
        Checks.until(
                what,
                Duration.ofMinutes(4),
                () -> run + "\n" + run.events() + "\n" + losses(),
                () -> losses().size() >= before + more);
    }

    /** Checks that the loss has fallen to a hundredth. */
    public String learned() {
        List<String> lines = losses();
        double first = Double.parseDouble(lines.get(0).split(" ")[1]);
        double last = Double.parseDouble(lines.get(lines.size() - 1).split(" ")[1]);
        Checks.check(
                last * 100 < first,
                "the loss went from " + first + " to " + last + ", expected a fall to a hundredth at least");
        return first + " -> " + last;
    }

    /** Deletes a pod, and waits until only a new one of the same name runs in its place. */
    public static void replaced(KubernetesClient client, KubernetesRun run, String pod) throws InterruptedException {
        String namespace = run.plan().namespace();
        List<String> names = names(run);
        String uid = client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .get()
                .getMetadata()
                .getUid();
        client.pods().inNamespace(namespace).withName(pod).delete();
        Checks.until(
                pod + " comes back under its name",
                () -> run + "\n" + run.events(),
                () -> Optional.ofNullable(client.pods()
                                        .inNamespace(namespace)
                                        .withName(pod)
                                        .get())
                                .filter(now -> !now.getMetadata().getUid().equals(uid))
                                .filter(now -> "Running".equals(now.getStatus().getPhase()))
                                .isPresent()
                        && names(run).equals(names));
    }

    private static List<String> names(KubernetesRun run) {
        return run.status().replicas().stream().map(ReplicaStatus::name).toList();
    }

    /** Deletes the shared folder. */
    public void remove() throws IOException {
        try (Stream<Path> files = Files.walk(shared)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
