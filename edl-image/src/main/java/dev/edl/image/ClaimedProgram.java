package dev.edl.image;

import dev.edl.JobBuilder;
import dev.edl.spec.Volume;
import java.util.List;
import java.util.Objects;

/**
 * Java program whose class path is on a PersistentVolumeClaim.
 *
 * @param namespace namespace of the claim, and of the jobs that mount it
 * @param claim name of the PersistentVolumeClaim
 * @param mainClass binary name of the main class
 * @param options options of the JVM, such as {@code --add-opens=...}
 * @param digests SHA-256 of each jar in hexadecimal digits, in the order of the class path; the first jar verifies the
 *     others. A jar's file on the claim is its digest with {@code .jar}
 * @param sentJars number of jars that the upload sent
 * @param sentBytes bytes that the upload sent; 0 if the claim had all jars
 */
public record ClaimedProgram(
        String namespace,
        String claim,
        String mainClass,
        List<String> options,
        List<String> digests,
        int sentJars,
        long sentBytes) {
    /** Copies the lists. */
    public ClaimedProgram {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(mainClass, "mainClass");
        options = List.copyOf(options);
        digests = List.copyOf(digests);
    }

    /**
     * Sets the program of a job's replicas, and returns the builder. It sets the job's namespace and the command,
     * and adds the claim as a read-only volume at {@code /edl/classes}. The job's image needs {@code java} on its
     * {@code PATH}; arguments stay those of the job.
     *
     * <p>Before a replica runs the main class, it compares each jar with its SHA-256. A jar that is missing or different
     * ends the replica with exit code 1 and both digests.
     */
    public JobBuilder on(JobBuilder job) {
        List<String> files = digests.stream()
                .map(digest -> UploadPod.FOLDER + "/" + digest + ".jar")
                .toList();
        List<String> command = JavaCommand.of("java", options, files, VerifyingLauncher.class.getName(), mainClass);
        return job.namespace(namespace)
                .command(command.toArray(String[]::new))
                .volume(Volume.claim(claim, UploadPod.FOLDER).readOnly(true));
    }
}
