package dev.edl.conformance.training;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Kubectl;
import dev.edl.image.ProgramImage;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.TrainingSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Image, volume, processes and result of {@link HeldMnist} in pods. */
public final class MnistPods {
    public static final String IMAGE = "edl.local/mnist:1";
    private static final int EPOCHS = 5;
    private static final int MINIBATCH = 64;

    private MnistPods() {}

    /** Creates an image of this program's class path. */
    public static void image() throws Exception {
        Path archive = Files.createTempFile("edl-mnist-", ".tar");
        ProgramImage.of(HeldMnist.class).writeArchive(archive, IMAGE);
        Checks.command(Cluster.scripts() + "/image", archive.toString());
        Files.delete(archive);
    }

    /** Returns the number of the process in a pod, which runs on this machine; empty if none runs. */
    static OptionalLong pid(String pod) {
        return ProcessHandle.allProcesses()
                .filter(process -> isOf(process, pod))
                // A pod of the same name may still end.
                .max(Comparator.comparing(
                        process -> process.info().startInstant().orElse(Instant.EPOCH)))
                .map(process -> OptionalLong.of(process.pid()))
                .orElseGet(OptionalLong::empty);
    }

    private static boolean isOf(ProcessHandle process, String pod) {
        try {
            Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
            String variables = "\0" + Files.readString(environment, StandardCharsets.ISO_8859_1);
            return variables.contains("\0HOSTNAME=" + pod + "\0") && variables.contains("\0EDL_ROLE=");
        } catch (IOException ended) {
            return false;
        }
    }

    /** Checks that the training is complete and has applied each record once in each epoch. */
    public static void ended(MasterLog training, String namespace, String master, int records) throws Exception {
        TrainingSummary result = training.result().orElseThrow();
        System.out.println("kubernetes: " + result.toString().replace("\n", "; "));
        Checks.check(result.exactlyOnce(), "each record must be applied once, but " + result.proof());
        // A shard of 4,096 records has whole minibatches; only the last shard ends with a part of one.
        long steps = EPOCHS * ((records + MINIBATCH - 1L) / MINIBATCH);
        Checks.check(
                result.steps() == steps && result.records() == (long) EPOCHS * records,
                "there must be " + steps + " steps of " + EPOCHS + " x " + records + " records, but " + result);
        double accuracy = result.metrics().getOrDefault("accuracy", 0.0);
        Checks.check(accuracy >= 0.96, "the accuracy must be at least 0.96, was " + accuracy);
        String log = Kubectl.run("logs", "--namespace", namespace, master);
        Checks.check(log.contains(result.proof()), "the master's log must have the proof, but is\n" + log);
    }

    /** The pods' user writes into the folder. */
    public static void open(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
        }
    }

    /** Deletes a folder with its files. */
    public static void remove(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
