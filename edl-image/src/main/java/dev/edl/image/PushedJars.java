package dev.edl.image;

import dev.edl.JobBuilder;
import dev.edl.spec.Volume;
import java.util.List;
import java.util.Objects;

/**
 * Java program whose class path is an image of jars alone, which pods mount beside any image with a Java runtime.
 *
 * @param image the image in its registry
 * @param folder folder of the jars in pods
 * @param mainClass binary name of the main class
 * @param options options of the JVM, such as {@code --add-opens=...}
 * @param jars names of the jars' files, in the order of the class path
 */
public record PushedJars(PushedImage image, String folder, String mainClass, List<String> options, List<String> jars) {
    /** Copies the lists. */
    public PushedJars {
        Objects.requireNonNull(image, "image");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(mainClass, "mainClass");
        options = List.copyOf(options);
        jars = List.copyOf(jars);
    }

    /**
     * Sets the program of a job's replicas, and returns the builder. It sets the command, and adds the image as a
     * volume, which needs Kubernetes 1.36 or newer. The job's image needs {@code java} on its {@code PATH}; arguments
     * stay those of the job. The volume's name has the image's digest, so a replica that starts later has the same jars.
     */
    public JobBuilder on(JobBuilder job) {
        List<String> files = jars.stream().map(jar -> folder + "/" + jar).toList();
        return job.command(JavaCommand.of("java", options, files, mainClass).toArray(String[]::new))
                .volume(Volume.image(image.reference(), folder));
    }
}
