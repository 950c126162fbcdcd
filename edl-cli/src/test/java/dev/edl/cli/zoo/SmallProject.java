package dev.edl.cli.zoo;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A project whose wrapper of Maven or Gradle is a script. It writes its arguments to {@code args}, the prepared jar and
 * the class path, as the tool does. It compiles nothing.
 */
final class SmallProject {
    private static final String MAVEN = """
            mkdir -p target
            cp app.jar target/app.jar
            for arg in "$@"; do
              case $arg in -Dmdep.outputFile=*) printf '%s' "$PWD/lib-2.jar" >"${arg#*=}" ;; esac
            done
            """;
    private static final String GRADLE = """
            mkdir -p build/libs
            cp app.jar build/libs/app.jar
            for arg in "$@"; do
              case $arg in
                -Dedl.program=*) printf '%s\\n' "$PWD/build/libs/app.jar" "$PWD/lib-2.jar" >"${arg#*=}" ;;
                *.gradle) cp "$arg" script ;;
              esac
            done
            """;

    private final Path folder;

    private SmallProject(Path folder) {
        this.folder = folder;
    }

    static SmallProject maven(Path folder) throws IOException {
        return of(folder, "pom.xml", "mvnw", MAVEN);
    }

    static SmallProject gradle(Path folder) throws IOException {
        return of(folder, "build.gradle.kts", "gradlew", GRADLE);
    }

    private static SmallProject of(Path folder, String file, String wrapper, String script) throws IOException {
        SmallProject project = new SmallProject(Files.createDirectories(folder));
        Files.writeString(folder.resolve(file), "");
        Files.writeString(folder.resolve("lib-2.jar"), "lib");
        return project.wrapper(wrapper, "printf '%s\\n' \"$@\" >args\n" + script);
    }

    /** Replaces the script of a wrapper. */
    SmallProject wrapper(String name, String script) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\nset -e\n" + script);
        file.toFile().setExecutable(true);
        return this;
    }

    /** Sets the jar that the wrapper "builds": its manifest, and one class. */
    SmallProject jar(String manifest, String type) throws IOException {
        Manifest parsed = new Manifest(
                new ByteArrayInputStream(("Manifest-Version: 1.0\n" + manifest).getBytes(StandardCharsets.UTF_8)));
        try (OutputStream file = Files.newOutputStream(folder.resolve("app.jar"));
                JarOutputStream jar = new JarOutputStream(file, parsed)) {
            jar.putNextEntry(new JarEntry(type));
            jar.closeEntry();
        }
        return this;
    }

    /** Arguments of the wrapper's last run, without the temporary files. */
    String args() throws IOException {
        return Files.readString(folder.resolve("args"))
                .replaceAll("=/.*", "=FILE")
                .replaceAll("/.*program.gradle", "SCRIPT");
    }

    Path folder() {
        return folder;
    }
}
