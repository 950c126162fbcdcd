package dev.edl.image;

import dev.edl.spec.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Java runtime that jlink makes of this JDK, with the C libraries of this machine. It needs Linux. The runtime and
 * native libraries in jars are linked with them.
 */
final class JlinkRuntime {
    /** Path of java in the image. */
    static final String JAVA = "/opt/java/bin/java";
    /** Folders of programs in the image. */
    static final String PATH = "/opt/java/bin:/usr/local/bin:/usr/bin:/bin";

    /** Modules besides java.se that programs use: not those of compilers and other tools. */
    private static final String MODULES = "java.se,jdk.unsupported,jdk.zipfs,jdk.crypto.ec,jdk.management,jdk.charsets,"
            + "jdk.httpserver,jdk.jfr,jdk.localedata,jdk.naming.dns,jdk.net,jdk.security.auth";

    /** System libraries on which Java and the native libraries in jars depend. */
    private static final List<String> LIBRARIES = List.of(
            "libc.so.6",
            "libdl.so.2",
            "libgcc_s.so.1",
            "libgomp.so.1",
            "libm.so.6",
            "libpthread.so.0",
            "librt.so.1",
            "libstdc++.so.6",
            "libz.so.1");

    /** Locale {@code C.UTF-8} of the C library, without which Java reads and writes ASCII alone in names of files. */
    private static final Path LOCALE = Path.of("/usr/lib/locale/C.utf8");

    private static final Pattern CACHED = Pattern.compile("^\\s*(\\S+) \\(libc6,\\S+\\) => (\\S+)$", Pattern.MULTILINE);
    private static final Pattern LINKED = Pattern.compile("(/\\S+) \\(0x");
    /** Bound of one command. A link takes about ten seconds on two processors. */
    private static final long COMMAND_SECONDS = 300;

    private JlinkRuntime() {}

    /**
     * Returns the folder with the files, which is made once for each JDK and state of the C libraries.
     *
     * @param cache folder that keeps it
     * @throws IOException if this Java cannot link a runtime; the message names the other way
     */
    static Path in(Path cache) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("java.home"));
        Path jlink = home.resolve("bin").resolve("jlink");
        if (!System.getProperty("os.name").equals("Linux") || !Files.isExecutable(jlink)) {
            throw new IOException("a Java runtime for the image is linked by a JDK on Linux, but this is "
                    + System.getProperty("os.name") + " with " + home
                    + "; name an image that has one: .base(\"registry.example/java:17\")");
        }
        Map<String, Path> libraries = libraries();
        Path runtime = cache.resolve("runtime-" + key(home, libraries));
        if (Files.isDirectory(runtime)) {
            return runtime;
        }
        Files.createDirectories(cache);
        Path work = Files.createTempDirectory(cache, "runtime-new-");
        try {
            Path root = work.resolve("root");
            link(jlink, root, libraries);
            Files.move(root, runtime, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another process may have been faster.
            if (!Files.isDirectory(runtime)) {
                throw e;
            }
        } finally {
            delete(work);
        }
        return runtime;
    }

    private static void link(Path jlink, Path root, Map<String, Path> libraries)
            throws IOException, InterruptedException {
        Path java = Files.createDirectories(root.resolve("opt")).resolve("java");
        run(
                jlink.toString(),
                "--add-modules",
                MODULES,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                java.toString());
        List<Path> binaries = new ArrayList<>(List.of(java.resolve("bin/java")));
        try (Stream<Path> files = Files.walk(java)) {
            files.filter(file -> file.toString().endsWith(".so")).sorted().forEach(binaries::add);
        }
        binaries.addAll(libraries.values());
        List<String> command = new ArrayList<>(List.of("ldd"));
        binaries.forEach(file -> command.add(file.toString()));
        TreeSet<String> linked = new TreeSet<>();
        libraries.values().forEach(file -> linked.add(file.toString()));
        Matcher lines = LINKED.matcher(run(command.toArray(String[]::new)));
        while (lines.find()) {
            linked.add(lines.group(1));
        }
        for (String library : linked) {
            if (!Path.of(library).startsWith(root)) {
                Path copy = root.resolve(library.substring(1));
                Files.createDirectories(Objects.requireNonNull(copy.getParent()));
                Files.copy(Path.of(library), copy);
                copy.toFile().setExecutable(true);
            }
        }
        if (Files.isDirectory(LOCALE)) {
            try (Stream<Path> files = Files.walk(LOCALE)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path copy = root.resolve(file.toString().substring(1));
                    Files.createDirectories(Objects.requireNonNull(copy.getParent()));
                    Files.copy(file, copy);
                }
            }
        }
        Files.createDirectories(root.resolve("tmp"));
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "app:x:1000:1000::/tmp:/sbin/nologin\n");
        Files.writeString(root.resolve("etc/nsswitch.conf"), "hosts: files dns\n");
    }

    /** The paths of the libraries that the loader knows, by name. */
    private static Map<String, Path> libraries() throws IOException, InterruptedException {
        String ldconfig = Files.isExecutable(Path.of("/sbin/ldconfig")) ? "/sbin/ldconfig" : "ldconfig";
        Map<String, Path> libraries = new TreeMap<>();
        Matcher lines = CACHED.matcher(run(ldconfig, "-p"));
        while (lines.find()) {
            if (LIBRARIES.contains(lines.group(1))) {
                libraries.putIfAbsent(lines.group(1), Path.of(lines.group(2)));
            }
        }
        return libraries;
    }

    private static String key(Path home, Map<String, Path> libraries) throws IOException {
        StringBuilder state = new StringBuilder(
                home.toRealPath() + "\n" + MODULES + "\n" + (Files.isDirectory(LOCALE) ? LOCALE : "no locale") + "\n");
        Path release = home.resolve("release");
        if (Files.exists(release)) {
            state.append(Files.readString(release));
        }
        for (Path library : libraries.values()) {
            state.append(library).append(' ').append(Files.size(library)).append(' ');
            state.append(Files.getLastModifiedTime(library)).append('\n');
        }
        return HexFormat.of().formatHex(Digest.sha256(state.toString()), 0, 8);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("edl-image-", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.getOutputStream().close();
            boolean ended = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8).strip();
            if (!ended || process.exitValue() != 0) {
                String end = ended ? "exit code " + process.exitValue() : "not ended within " + COMMAND_SECONDS + " s";
                throw new IOException(command[0] + " failed: " + end + (text.isEmpty() ? "" : ": " + text));
            }
            return text;
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
