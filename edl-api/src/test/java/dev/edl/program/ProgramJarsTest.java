package dev.edl.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.program.ProgramJars.Frequency;
import dev.edl.program.ProgramJars.Jar;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramJarsTest {
    @TempDir
    Path folder;

    @Test
    void entries_keep_their_order_and_get_names_of_their_own() throws IOException {
        Path classes = folder("classes", "Main.class");
        Path more = folder("more", "Other.class");
        Path jar = file("a/commons.jar", "1");
        Path same = file("b/commons.jar", "2");
        Path numbered = file("c/commons-2.jar", "3");
        Path zip = file("d/data.zip", "4");

        List<Jar> jars = ProgramJars.of(List.of(classes, jar, same, numbered, zip, more), folder.resolve("cache"));

        assertThat(jars)
                .extracting(Jar::name)
                .containsExactly(
                        "classes.jar",
                        "commons.jar",
                        "commons-2.jar",
                        "commons-2-2.jar",
                        "data.zip.jar",
                        "classes-2.jar");
    }

    @Test
    void snapshots_and_classes_are_told_apart_from_libraries() throws IOException {
        List<Jar> jars = ProgramJars.of(
                List.of(folder("classes", "Main.class"), file("x-1-SNAPSHOT.jar", "1"), file("y-1.jar", "2")),
                folder.resolve("cache"));

        assertThat(jars)
                .extracting(Jar::changes)
                .containsExactly(Frequency.CLASSES, Frequency.SNAPSHOT, Frequency.LIBRARY);
    }

    @Test
    void the_jar_of_a_session_counts_as_classes() throws IOException {
        String digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"; // of "1"
        Path session = file(digest + ".jar", "1");

        assertThat(ProgramJars.of(List.of(session), folder.resolve("cache")))
                .containsExactly(new Jar("classes.jar", session, digest, Frequency.CLASSES));
    }

    @Test
    void a_damaged_jar_of_a_cache_is_written_anew() throws IOException {
        Path classes = folder("classes", "Main.class");
        Jar jar = ProgramJars.of(List.of(classes), folder.resolve("cache")).get(0);
        byte[] whole = Files.readAllBytes(jar.file());
        Files.writeString(jar.file(), "cut");

        assertThat(ProgramJars.of(List.of(classes), folder.resolve("cache"))).containsExactly(jar);
        assertThat(jar.file()).hasBinaryContent(whole);
        Files.writeString(jar.file(), "cut");
        assertThat(ProgramJars.of(List.of(jar.file()), folder.resolve("cache")))
                .extracting(Jar::digest)
                .doesNotContain(jar.digest());
    }

    @Test
    void a_folder_behind_a_link_has_its_classes() throws IOException {
        Path classes = folder("classes", "Main.class");
        Path outer = folder("outer", "Outer.class");
        Path link = Files.createSymbolicLink(folder.resolve("current"), classes);
        Files.createSymbolicLink(outer.resolve("inner"), classes);
        Path cache = folder.resolve("cache");

        assertThat(ProgramJars.of(List.of(link), cache)).isEqualTo(ProgramJars.of(List.of(classes), cache));
        try (JarFile jar =
                new JarFile(ProgramJars.of(List.of(outer), cache).get(0).file().toFile())) {
            assertThat(jar.stream())
                    .extracting(JarEntry::getName)
                    .containsExactly("Outer.class", "inner/", "inner/Main.class");
        }
    }

    @Test
    void a_class_finds_the_folders_of_its_jar() throws IOException {
        Path classes = folder("classes", "acme/data/Main.class");
        Jar jar = ProgramJars.of(List.of(classes), folder.resolve("cache")).get(0);

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.file().toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            assertThat(loader.getResource("acme/data"))
                    .hasToString("jar:" + jar.file().toUri().toURL() + "!/acme/data");
            assertThat(loader.getResource("acme/")).isNotNull();
        }
    }

    @Test
    void a_folder_has_one_jar_whatever_the_times_of_its_files() throws IOException {
        Path classes = folder("classes", "Main.class");
        Path cache = folder.resolve("cache");
        Jar first = ProgramJars.of(List.of(classes), cache).get(0);
        Files.setLastModifiedTime(classes.resolve("Main.class"), FileTime.fromMillis(1));
        Jar again = ProgramJars.of(List.of(classes), cache).get(0);
        Files.writeString(classes.resolve("Main.class"), "changed");
        Jar changed = ProgramJars.of(List.of(classes), cache).get(0);

        assertThat(again).isEqualTo(first);
        assertThat(changed.digest()).isNotEqualTo(first.digest());
        Path copy = Files.copy(first.file(), folder.resolve("copy.jar"));
        assertThat(ProgramJars.of(List.of(copy), cache).get(0).digest()).isEqualTo(first.digest());
        try (var files = Files.list(cache)) {
            assertThat(files).containsExactlyInAnyOrder(first.file(), changed.file());
        }
    }

    private Path folder(String name, String file) throws IOException {
        file(name + "/" + file, file);
        return folder.resolve(name);
    }

    private Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }
}
