package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.program.ProgramJars;
import dev.edl.program.ProgramJars.Frequency;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarRequirementsTest {
    /** Versions of class files: Java 17 writes 61, Java 21 writes 65. */
    private static final int JAVA_17 = 61;

    private static final int JAVA_21 = 65;

    @TempDir
    Path folder;

    @Test
    void a_class_of_the_program_that_is_newer_than_java_is_named() throws IOException {
        ProgramJars.Jar classes =
                jar("classes.jar", Frequency.CLASSES, "acme/Old.class", JAVA_17, "acme/Main.class", JAVA_21);

        assertThat(unmet(Optional.of(17), classes))
                .hasValue("class acme.Main of classes.jar needs Java 21, but pods of java:17 have Java 17; compile it"
                        + " with --release 17, or name an image with Java 21");
        assertThat(unmet(Optional.of(21), classes)).isEmpty();
        assertThat(unmet(Optional.empty(), classes)).isEmpty();
    }

    @Test
    void a_library_is_named_only_if_all_of_it_is_newer() throws IOException {
        assertThat(unmet(Optional.of(17), jar("lib-2.jar", Frequency.LIBRARY, "a/A.class", JAVA_21)))
                .hasValue(
                        "class a.A of lib-2.jar needs Java 21, but pods of java:17 have Java 17; take an older version"
                                + " of the library, or name an image with Java 21");
        assertThat(unmet(
                        Optional.of(17),
                        jar("lib-1.jar", Frequency.LIBRARY, "a/A.class", JAVA_17, "a/B.class", JAVA_21),
                        jar("multi.jar", Frequency.LIBRARY, "META-INF/versions/21/a/A.class", JAVA_21),
                        jar("module.jar", Frequency.LIBRARY, "module-info.class", JAVA_21)))
                .isEmpty();
    }

    @Test
    void natives_of_another_machine_alone_are_named() throws IOException {
        ProgramJars.Jar mac =
                jar("nd4j-native-macosx-arm64.jar", Frequency.LIBRARY, "org/nd4j/macosx-arm64/libnd4jcpu.dylib", 0);
        ProgramJars.Jar linux =
                jar("nd4j-native-linux-x86_64.jar", Frequency.LIBRARY, "org/nd4j/linux-x86_64-avx2/libnd4jcpu.so.1", 0);

        assertThat(unmet(Optional.of(17), mac))
                .hasValue("nd4j-native-macosx-arm64.jar has native libraries of macosx-arm64, but pods of java:17 need"
                        + " linux-x86_64; add the same dependency with classifier linux-x86_64");
        assertThat(unmet(Optional.of(17), mac, linux)).isEmpty();
        assertThat(JarRequirements.of(List.of(mac, linux)).unmet("pods", Optional.empty(), "aarch64"))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("linux-x86_64 and macosx-arm64, but pods need linux-arm64"));
    }

    @Test
    void folders_of_other_libraries_than_javacpps_are_no_requirement() throws IOException {
        ProgramJars.Jar jna = jar("jna.jar", Frequency.LIBRARY, "com/sun/jna/linux-x86/libjnidispatch.so", 0);

        assertThat(JarRequirements.of(List.of(jna)).unmet("pods", Optional.empty(), "amd64"))
                .isEmpty();
    }

    @Test
    void a_file_that_is_no_jar_has_no_requirement() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.jar"), "no jar");

        assertThat(unmet(Optional.of(17), new ProgramJars.Jar("notes.jar", text, "", Frequency.LIBRARY)))
                .isEmpty();
    }

    @Test
    void names_of_known_runtimes_state_their_java() {
        assertThat(JarRequirements.javaOf("eclipse-temurin:17-jre")).hasValue(17);
        assertThat(JarRequirements.javaOf("mirror.example:5000/library/eclipse-temurin:21.0.4_7-jre"))
                .hasValue(21);
        assertThat(JarRequirements.javaOf("openjdk:8u342")).hasValue(8);
        assertThat(JarRequirements.javaOf("gcr.io/distroless/java17-debian12")).hasValue(17);
        assertThat(JarRequirements.javaOf("eclipse-temurin:latest")).isEmpty();
        assertThat(JarRequirements.javaOf("acme/java:5")).isEmpty();
    }

    @Test
    void jvm_options_with_files_of_this_machine_are_refused() {
        for (String option : List.of("--module-path=/opt/me/lib", "--patch-module=java.base=/opt/me/base.jar")) {
            assertThatThrownBy(() -> JavaCommand.check(List.of("--add-opens=a/b=ALL-UNNAMED", option)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("JVM option \"" + option + "\" names files of this machine, which pods do not have; put"
                            + " them onto the class path, and start this program without the option");
        }
    }

    @Test
    void an_older_java_ignores_jvm_options_of_a_newer_one() {
        List<String> options = List.of("--add-opens=a/b=c", "--sun-misc-unsafe-memory-access=allow");
        JavaCommand.check(options);

        assertThat(JavaCommand.of("java", options, List.of("/a.jar"), "acme.Main"))
                .startsWith("java", "-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=a/b=c");
        assertThat(JavaCommand.of("java", options.subList(0, 1), List.of("/a.jar"), "acme.Main"))
                .startsWith("java", "--add-opens=a/b=c");
    }

    private static Optional<String> unmet(Optional<Integer> java, ProgramJars.Jar... jars) throws IOException {
        return JarRequirements.of(List.of(jars)).unmet("pods of java:17", java, "amd64");
    }

    /** Returns a jar of class files that have only a header, with their versions. */
    private ProgramJars.Jar jar(String name, Frequency changes, Object... entries) throws IOException {
        Path file = folder.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < entries.length; i += 2) {
                zip.putNextEntry(new ZipEntry((String) entries[i]));
                zip.write(ByteBuffer.allocate(8)
                        .putInt(0xCAFEBABE)
                        .putInt((Integer) entries[i + 1])
                        .array());
            }
        }
        return new ProgramJars.Jar(name, file, "", changes);
    }
}
