package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.edl.Job;
import dev.edl.spec.Volume;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramImageTest {
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    private static SSLContext tls;

    @TempDir
    Path folder;

    private FakeRegistry registry;
    private List<Path> classPath;

    @BeforeAll
    static void certificate(@TempDir Path folder) throws Exception {
        tls = FakeRegistry.tls(folder.resolve("store.p12"));
    }

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry(tls);
        registry.base("java", "17");
        classPath = List.of(
                file("classes/Main.class", "main").getParent(),
                file("acme-1-SNAPSHOT.jar", "acme"),
                file("lib-2.jar", "lib"));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    @Test
    void layers_are_ordered_from_seldom_to_often() throws Exception {
        image().push(name());

        List<String> layers = layers("acme/mnist:1");
        assertThat(layers).hasSize(4);
        assertThat(paths(layers.get(1))).containsExactly("app/", "app/lib-2.jar");
        assertThat(paths(layers.get(2))).containsExactly("app/", "app/acme-1-SNAPSHOT.jar");
        assertThat(paths(layers.get(3))).containsExactly("app/", "app/classes.jar");
    }

    @Test
    void the_program_is_the_entry_point_of_a_user_without_rights() throws Exception {
        image().push(name());

        assertThat(config("acme/mnist:1"))
                .contains(
                        "\"Entrypoint\":[\"java\",\"--add-opens=java.base/java.nio=ALL-UNNAMED\",\"-Duser.home=/tmp\","
                                + "\"-cp\",\"/app/classes.jar:/app/acme-1-SNAPSHOT.jar:/app/lib-2.jar\",\"com.acme.Main\"]")
                .contains("\"User\":\"1000:1000\"")
                .contains("\"PATH=/usr/java/bin\"")
                .contains("\"HOME=/tmp\"")
                .contains("\"created\":\"1970-01-01T00:00:00Z\"");
    }

    @Test
    void only_what_the_registry_lacks_travels() throws Exception {
        PushedImage first = image().push(name());
        assertThat(registry.uploads()).hasSize(4); // three layers and the configuration; it has the base
        PushedImage again = image().push(name());
        assertThat(registry.uploads()).isEmpty();
        file("classes/Main.class", "changed");
        PushedImage changed = image().push(name());

        assertThat(registry.uploads()).hasSize(2);
        assertThat(again.digest()).isEqualTo(first.digest());
        assertThat(again.sentBytes()).isZero();
        assertThat(changed.digest()).isNotEqualTo(first.digest());
        assertThat(changed.sentBytes()).isBetween(1L, first.sentBytes() - 1);
        assertThat(first.reference()).isEqualTo(registry.host() + "/acme/mnist@" + first.digest());
        assertThat(registry.manifest("acme/mnist@" + first.digest())).isNotNull();
    }

    @Test
    void jars_alone_are_a_volume_beside_a_runtime() throws Exception {
        PushedJars jars = builder().folder("/lib").build().pushJars(registry.host() + "/acme/jars");
        PushedImage image = image().push(registry.host() + "/acme/jars");

        List<String> layers = layers("acme/jars@" + jars.image().digest());
        assertThat(layers).hasSize(3);
        assertThat(paths(layers.get(2))).containsExactly("classes.jar");
        assertThat(new String(
                        registry.blob(
                                digests("acme/jars@" + jars.image().digest()).get(0)),
                        StandardCharsets.UTF_8))
                .doesNotContain("com.acme.Main");
        assertThat(image.tag()).isNotEqualTo(jars.image().tag());
        assertThat(jars.on(Job.named("mnist")).image("java:17").workers(1).build())
                .isEqualTo(Job.named("mnist")
                        .image("java:17")
                        .command(
                                "java",
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "-Duser.home=/tmp",
                                "-cp",
                                jars.jars().stream().map(jar -> "/lib/" + jar).collect(Collectors.joining(":")),
                                "com.acme.Main")
                        .volume(Volume.image(jars.image().reference(), "/lib"))
                        .workers(1)
                        .build());
    }

    @Test
    void a_name_without_a_tag_gets_one_of_its_content() throws Exception {
        PushedImage first = image().push(registry.host() + "/acme/mnist");
        PushedImage again = image().push(registry.host() + "/acme/mnist");
        file("classes/Main.class", "changed");
        PushedImage changed = image().push(registry.host() + "/acme/mnist");

        assertThat(first.tag()).matches("classpath-[0-9a-f]{12}").isEqualTo(again.tag());
        assertThat(changed.tag()).isNotEqualTo(first.tag());
        assertThat(image().push(registry.host() + "/acme/mnist:latest").tag()).isEqualTo("latest");
    }

    @Test
    void an_archive_has_the_same_bytes_each_time() throws Exception {
        Path first = folder.resolve("first.tar");
        Path second = folder.resolve("second.tar");
        String digest = image().writeArchive(first, "edl.local/mnist:1");
        ProgramImage fresh = builder().cache(folder.resolve("other cache")).build();

        assertThat(fresh.writeArchive(second, "edl.local/mnist:1")).isEqualTo(digest);
        assertThat(second).hasSameBinaryContentAs(first);
    }

    @Test
    void a_password_is_given_or_its_absence_is_named() throws Exception {
        try (FakeRegistry closed = new FakeRegistry(tls)) {
            closed.demand("secret");
            String name = closed.host() + "/acme/mnist:1";

            assertThatIOException()
                    .isThrownBy(() -> image().push(name))
                    .withMessageContaining(
                            "; docker login " + closed.host() + ", or for the registry that is pushed to");
            assertThatIOException()
                    .isThrownBy(
                            () -> builder().credentials("acme", "guess").build().push(name))
                    .withMessageContaining("docker login " + closed.host());
            assertThat(builder()
                            .credentials("acme", "secret")
                            .build()
                            .push(name)
                            .digest())
                    .isEqualTo(image().push(name()).digest());
        }
    }

    @Test
    void a_registry_that_is_away_is_named() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String away = "localhost:" + port + "/acme/mnist:1";
        assertThatIOException().isThrownBy(() -> image().push(away)).withMessageContaining(away);
    }

    @Test
    void natives_of_another_machine_are_refused_before_a_layer_travels() throws Exception {
        Path jar = folder.resolve("nd4j-native-macosx-arm64.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("org/nd4j/macosx-arm64/libnd4jcpu.dylib"));
        }
        classPath = List.of(jar);
        String why =
                "program com.acme.Main: nd4j-native-macosx-arm64.jar has native libraries of macosx-arm64, but pods"
                        + " of this image need linux-x86_64; add the same dependency with classifier linux-x86_64";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> image().push(name()))
                .withMessage(why);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> image().pushJars(name()))
                .withMessage(why);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> image().writeArchive(folder.resolve("a.tar"), name()))
                .withMessage(why);
        assertThat(registry.uploads()).isEmpty();
    }

    @Test
    void names_that_are_none_are_quoted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> image().push("registry.example/Acme"))
                .withMessageContaining("was \"registry.example/Acme\"; for example registry.example/acme/mnist:1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().base("!"))
                .withMessageContaining("was \"!\"; for example eclipse-temurin:17-jre");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> image().push("acme/mnist@sha256:" + "0".repeat(64)))
                .withMessageContaining("must have no digest");
    }

    @Test
    void the_jars_lie_in_the_folder_that_is_named() throws Exception {
        builder().folder("/edl").build().push(name());

        assertThat(config("acme/mnist:1")).contains("\"/edl/classes.jar:/edl/acme-1-SNAPSHOT.jar:/edl/lib-2.jar\"");
        assertThat(paths(layers("acme/mnist:1").get(3))).containsExactly("edl/", "edl/classes.jar");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().folder("app"))
                .withMessageContaining("was \"app\"; for example /app");
    }

    @Test
    void a_runtime_of_this_jdk_has_this_machines_architecture() {
        String other = System.getProperty("os.arch").equals("aarch64") ? "amd64" : "arm64";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProgramImage.Builder(classPath, List.of(), "com.acme.Main")
                        .architecture(other)
                        .build())
                .withMessageContaining("architecture \"" + other + "\" needs a base");
    }

    private ProgramImage image() {
        return builder().build();
    }

    private ProgramImage.Builder builder() {
        return new ProgramImage.Builder(
                        classPath, List.of("--add-opens=java.base/java.nio=ALL-UNNAMED"), "com.acme.Main")
                .base(registry.host() + "/java:17")
                .architecture("amd64")
                // A certificate that this JVM does not trust is retried for about a minute.
                .allowInsecureRegistry()
                .cache(folder.resolve("cache"));
    }

    private String name() {
        return registry.host() + "/acme/mnist:1";
    }

    private Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private String config(String name) {
        return new String(registry.blob(digests(name).get(0)), StandardCharsets.UTF_8);
    }

    private List<String> layers(String name) {
        List<String> digests = digests(name);
        return digests.subList(1, digests.size());
    }

    /** The digests that the manifest names: of the configuration, and of each layer. */
    private List<String> digests(String name) {
        Matcher matcher = DIGEST.matcher(new String(registry.manifest(name), StandardCharsets.UTF_8));
        List<String> digests = new ArrayList<>();
        while (matcher.find()) {
            digests.add(matcher.group());
        }
        return digests;
    }

    /** The paths in a layer, from the headers of its tar. */
    private List<String> paths(String digest) throws IOException {
        List<String> paths = new ArrayList<>();
        try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(registry.blob(digest)))) {
            byte[] block = tar.readNBytes(512);
            while (block.length == 512 && block[0] != 0) {
                String path = new String(block, 0, 100, StandardCharsets.UTF_8).replace("\0", "");
                if (!path.contains("PaxHeaders")) {
                    paths.add(path);
                }
                long size = Long.parseLong(new String(block, 124, 11, StandardCharsets.UTF_8).trim(), 8);
                tar.skipNBytes((size + 511) / 512 * 512);
                block = tar.readNBytes(512);
            }
        }
        return paths;
    }
}
