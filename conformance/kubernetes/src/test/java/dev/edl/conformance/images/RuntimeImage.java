package dev.edl.conformance.images;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.image.ProgramImage;
import dev.edl.k8s.KubernetesDriver;
import java.nio.file.Files;
import java.nio.file.Path;

/** Image with a Java runtime, for pods whose program is on a claim. Its own program is not used. */
public final class RuntimeImage {
    /** Name of the image on docs/cluster.md; the cluster reaches no registry. */
    public static final String NAME = "eclipse-temurin:17-jre";

    private RuntimeImage() {}

    /** Loads the image onto all nodes. */
    public static void load() throws Exception {
        Path archive = Files.createTempFile("edl-java-", ".tar");
        ProgramImage.of(KubernetesDriver.class).writeArchive(archive, NAME);
        Checks.command(Cluster.scripts() + "/image", archive.toString());
        Files.delete(archive);
    }
}
