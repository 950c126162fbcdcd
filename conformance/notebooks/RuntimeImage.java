import dev.edl.image.ProgramImage;
import dev.edl.k8s.KubernetesDriver;
import java.nio.file.Path;

/** Writes an image with a Java runtime of this JDK, for pods whose program is on a claim: ARCHIVE NAME:TAG. */
final class RuntimeImage {
    private RuntimeImage() {}

    public static void main(String[] args) throws Exception {
        // The image has a program, too, which the pods' own command replaces.
        ProgramImage.of(KubernetesDriver.class).writeArchive(Path.of(args[0]), args[1]);
    }
}
