package dev.edl.program;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Jars of a program's class path, in its order, for a place that has no files of this machine. A folder of classes
 * becomes a jar in a cache. The same classes give the same bytes.
 */
public final class ProgramJars {
    /**
     * A jar of the class path.
     *
     * @param name name that no other jar of the class path has; it ends with {@code .jar}, for {@code java -cp folder/*}
     * @param file file on this machine
     * @param digest SHA-256 of the file, 64 hexadecimal digits
     * @param changes how often its content changes
     */
    public record Jar(String name, Path file, String digest, Frequency changes) {}

    /** How often a jar changes, from seldom to often. */
    public enum Frequency {
        /** A jar of a released version. */
        LIBRARY,
        /** A jar whose version is a snapshot. */
        SNAPSHOT,
        /** A folder of classes, or the classes of a session. */
        CLASSES
    }

    /** Reads an entry of a jar. */
    interface Content {
        byte[] of(String path) throws IOException;
    }

    private ProgramJars() {}

    /**
     * Returns the jars of a class path.
     *
     * @param entries files and folders, as of {@link ProgramClassPath#entries()}
     * @param cache folder for the jars of folders, which is created if absent
     * @throws IOException if an entry cannot be read, or the cache cannot be written
     */
    public static List<Jar> of(List<Path> entries, Path cache) throws IOException {
        List<Jar> jars = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path entry : entries) {
            Path jar = Files.isDirectory(entry) ? pack(entry, cache) : entry;
            String file = jar.getFileName().toString();
            String digest = digest(jar);
            // A jar of the cache, also of another one, as the jar of a session's classes.
            if (file.equals(digest + ".jar")) {
                jars.add(new Jar(unique("classes.jar", names), jar, digest, Frequency.CLASSES));
            } else {
                Frequency changes = file.contains("-SNAPSHOT") ? Frequency.SNAPSHOT : Frequency.LIBRARY;
                jars.add(new Jar(unique(file, names), jar, digest, changes));
            }
        }
        return List.copyOf(jars);
    }

    /**
     * Returns a jar of some classes, without other classes that they use.
     *
     * @param cache folder for the jar, which is created if absent
     * @throws IOException if a class cannot be read, or the cache cannot be written
     */
    public static Jar of(Path cache, Class<?>... types) throws IOException {
        Map<String, Class<?>> files = new TreeMap<>();
        for (Class<?> type : types) {
            files.put(type.getName().replace('.', '/') + ".class", type);
        }
        Path jar = store(
                files.keySet(),
                path -> {
                    try (InputStream in =
                            Objects.requireNonNull(files.get(path)).getResourceAsStream("/" + path)) {
                        return Objects.requireNonNull(in, path).readAllBytes();
                    }
                },
                cache);
        return of(List.of(jar), cache).get(0);
    }

    /** Returns the folder of EDL's caches: {@code edl} in {@code XDG_CACHE_HOME}, by default {@code ~/.cache}. */
    public static Path cacheFolder() {
        String set = System.getenv("XDG_CACHE_HOME");
        Path folder = set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        return folder.resolve("edl").toAbsolutePath();
    }

    /**
     * Writes a jar into a cache, and returns it; its name is its SHA-256. Entries are stored, since compressed bytes
     * depend on the Java version.
     */
    static Path store(Iterable<String> paths, Content content, Path cache) throws IOException {
        Path written = Files.createTempFile(Files.createDirectories(cache), "classes-", ".new");
        try {
            MessageDigest sha = sha256();
            try (OutputStream file = Files.newOutputStream(written);
                    DigestOutputStream digested = new DigestOutputStream(new BufferedOutputStream(file), sha);
                    ZipOutputStream zip = new ZipOutputStream(digested)) {
                zip.setMethod(ZipOutputStream.STORED);
                Set<String> folders = new HashSet<>();
                for (String path : paths) {
                    // Class.getResource finds a folder only by its own entry.
                    for (int end = path.indexOf('/') + 1; end > 0; end = path.indexOf('/', end) + 1) {
                        if (folders.add(path.substring(0, end))) {
                            store(zip, path.substring(0, end), new byte[0]);
                        }
                    }
                    store(zip, path, content.of(path));
                }
            }
            byte[] digest = sha.digest();
            Path jar = cache.resolve(HexFormat.of().formatHex(digest) + ".jar");
            if (!Files.exists(jar) || !digest(jar).equals(HexFormat.of().formatHex(digest))) {
                Files.move(written, jar, StandardCopyOption.ATOMIC_MOVE);
            }
            return jar;
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private static void store(ZipOutputStream zip, String path, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(path);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        entry.setCrc(crc.getValue());
        entry.setSize(bytes.length);
        // The format's first instant, which needs no time zone.
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static Path pack(Path folder, Path cache) throws IOException {
        try (Stream<Path> tree = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<String> paths = tree.filter(Files::isRegularFile)
                    .map(path -> folder.relativize(path).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
            return store(paths, path -> Files.readAllBytes(folder.resolve(path)), cache);
        }
    }

    private static String unique(String file, Set<String> names) {
        String stem = file.toLowerCase(Locale.ROOT).endsWith(".jar") ? file.substring(0, file.length() - 4) : file;
        String name = stem + ".jar";
        for (int i = 2; !names.add(name); i++) {
            name = stem + "-" + i + ".jar";
        }
        return name;
    }

    private static String digest(Path file) throws IOException {
        MessageDigest sha = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
