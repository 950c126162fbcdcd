package dev.edl.conformance.images;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.image.ClaimStatus;
import dev.edl.image.ClaimedProgram;
import dev.edl.image.ClassPathClaim;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.program.ProgramClassPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Checks that a class becomes a pod without a registry, by a claim that pods of all nodes mount. */
@OnCluster("--nodes 3")
class ClaimUpload {
    private static final String NAMESPACE = "edl-claim";

    @Test
    void a_class_runs_in_pods_from_a_claim() throws Exception {
        Path classes = classes();
        RuntimeImage.load();
        Path shared = Files.createTempDirectory("edl-claim-");
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, true);
            Checks.volume(shared, NAMESPACE, "classes");
            ClassPathClaim claim = ClassPathClaim.of(client, NAMESPACE, "classes-claim");
            refused(claim, classes);
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

            ClaimedProgram first = claim.upload(program(classes), RuntimeImage.NAME);
            Checks.check(
                    first.sentJars() == 3 && first.sentBytes() > 1_000_000, "three jars must travel, but " + first);
            ClaimedProgram again = claim.upload(program(classes), RuntimeImage.NAME);
            Checks.check(again.sentJars() == 0 && again.sentBytes() == 0, "nothing must travel again, but " + again);
            Files.writeString(classes.resolve("changed.txt"), "changed");
            ClaimedProgram changed = claim.upload(program(classes), RuntimeImage.NAME);
            Checks.check(changed.sentJars() == 1, "the changed folder alone must travel, but " + changed);
            System.out.println("kubernetes: " + first.sentBytes() + " bytes were uploaded to a claim, nothing of them"
                    + " twice, and " + changed.sentBytes() + " after a change");
            runs(client, changed);
            damaged(client, claim, classes, shared);
            pruned(claim);
            String left = Kubectl.run("get", "pods,configmaps", "--namespace", NAMESPACE, "-o", "name");
            Checks.check(!left.contains("edl-upload"), "an upload must leave no objects, but\n" + left);
            client.namespaces().withName(NAMESPACE).delete();
        }
    }

    private static void refused(ClassPathClaim claim, Path classes) throws Exception {
        String folder = refusal(claim, classes, RuntimeImage.NAME);
        Checks.check(
                folder.contains("may not be written by the pod's user") && folder.contains("chgrp 1000"),
                "the refusal of root's folder must have advice, was " + folder);
        String image = refusal(claim, classes, "edl.local/busybox:1");
        Checks.check(
                image.contains("must have java of version 17"),
                "the refusal of an image without java must have advice, was " + image);
    }

    private static String refusal(ClassPathClaim claim, Path classes, String image) throws Exception {
        try {
            return "no refusal, but " + claim.upload(program(classes), image);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A jar that was changed on the claim is refused by the pod, and replaced by the next upload. */
    private static void damaged(KubernetesClient client, ClassPathClaim claim, Path classes, Path shared)
            throws Exception {
        ClaimedProgram program = claim.upload(program(classes), RuntimeImage.NAME);
        String digest = program.digests().get(1);
        Path jar = shared.resolve(digest + ".jar");
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(whole, whole.length - 1));
        Job job = job(program, "damaged").relaunchLimit(0).build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options());
                KubernetesRun run = executor.submit(job)) {
            Checks.until(
                    "the job fails", run::toString, () -> run.status().phase().ended());
            String log = Kubectl.run("logs", "--namespace", NAMESPACE, "elasticdl-damaged-master");
            Checks.check(
                    log.contains("its SHA-256 must be " + digest + ", was ") && !log.contains("echo"),
                    "the pod must name both digests, but\n" + log);
        }
        ClaimedProgram mended = claim.upload(program(classes), RuntimeImage.NAME);
        Checks.check(
                mended.sentJars() == 1 && Files.size(jar) == whole.length, "the jar must be replaced, but " + mended);
        System.out.println("kubernetes: a pod refuses a changed jar with both digests, and an upload replaces it");
    }

    private static void pruned(ClassPathClaim claim) throws Exception {
        ClaimStatus before = claim.status(RuntimeImage.NAME, Duration.ZERO);
        ClaimStatus removed = claim.prune(RuntimeImage.NAME, Duration.ZERO);
        ClaimStatus after = claim.status(RuntimeImage.NAME, Duration.ZERO);
        // No record names the first folder of classes, which no job ran.
        Checks.check(
                before.unusedJars() == 1
                        && removed.equals(before)
                        && after.jars() == before.jars() - 1
                        && after.unusedJars() == 0,
                "one jar must be removed, but " + before + ", " + removed + ", " + after);
        System.out.println("kubernetes: jars that no job's record names are removed: " + removed);
    }

    /** Returns a folder with the program's class. */
    private static Path classes() throws IOException {
        Path folder = Files.createTempDirectory("edl-classes-");
        String file = Echo.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve(file);
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        try (InputStream bytes = Objects.requireNonNull(Echo.class.getResourceAsStream("/" + file))) {
            Files.copy(bytes, copy);
        }
        return folder;
    }

    /** Returns the program with a class path of the folder and a jar. */
    private static ProgramClassPath program(Path classes) throws Exception {
        Path jar = Path.of(
                Pod.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return with(classes + File.pathSeparator + jar, () -> ProgramClassPath.of(Echo.class));
    }

    /** Calls as a JVM with another class path would. */
    private static <T> T with(String classPath, Supplier<T> call) {
        String own = System.getProperty("java.class.path");
        System.setProperty("java.class.path", classPath);
        try {
            return call.get();
        } finally {
            System.setProperty("java.class.path", own);
        }
    }

    private static void runs(KubernetesClient client, ClaimedProgram program) throws Exception {
        Job job = job(program, "echo").build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options());
                KubernetesRun run = executor.submit(job)) {
            run.awaitSuccess(Duration.ofSeconds(90));
            // The workers' pods may still run when the job has succeeded, and are then deleted.
            String said = Kubectl.run("logs", "--namespace", NAMESPACE, "elasticdl-echo-master");
            Checks.check(
                    said.startsWith("echo hello of ") && said.contains(" in /tmp on Java "),
                    "the program's line, was " + said);
        }
        System.out.println("kubernetes: pods of Pod Security restricted run the class from the claim, read-only");
    }

    private static JobBuilder job(ClaimedProgram program, String name) {
        return program.on(Job.named(name))
                .image(RuntimeImage.NAME)
                .args("hello")
                .request("cpu=100m,memory=128Mi")
                .workers(2);
    }

    private static PodOptions options() {
        return PodOptions.builder().runAsUser(2000).build();
    }
}
