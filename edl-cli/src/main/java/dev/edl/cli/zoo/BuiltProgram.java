package dev.edl.cli.zoo;

import dev.edl.image.ProgramImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Program that a project's build tool has built.
 *
 * @param jar the project's jar, whose manifest names the main class and perhaps the base image
 * @param libraries run-time class path without the jar, in its order
 * @param mainClass binary name of the main class
 * @param base image with a Java runtime; null without one
 */
record BuiltProgram(
        Path jar,
        List<Path> libraries,
        String mainClass,
        @Nullable String base) {
    /** Attribute of the manifest with the base image. */
    static final String BASE = "Edl-Base-Image";

    BuiltProgram {
        libraries = List.copyOf(libraries);
    }

    /**
     * Reads the manifest of a jar.
     *
     * @throws IllegalArgumentException if the jar names no main class, or does not have it
     * @throws IOException if the jar cannot be read
     */
    static BuiltProgram of(Path jar, List<Path> libraries) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String main = attributes.getValue(Attributes.Name.MAIN_CLASS);
            if (main == null || file.getEntry(main.replace('.', '/') + ".class") == null) {
                throw new IllegalArgumentException("the manifest of " + jar + " must name a class of the jar as "
                        + Attributes.Name.MAIN_CLASS + ", was "
                        + (main == null ? "absent" : "\"" + main + "\"") + "; for example com.acme.mnist.Main");
            }
            String base = attributes.getValue(BASE);
            return new BuiltProgram(jar, libraries, main, base == null || base.isBlank() ? null : base);
        }
    }

    /** Returns the builder of the program's image. */
    ProgramImage.Builder image() {
        List<Path> classPath = new ArrayList<>(List.of(jar));
        classPath.addAll(libraries);
        ProgramImage.Builder image = ProgramImage.builder(classPath, mainClass);
        return base == null ? image : image.base(base);
    }
}
