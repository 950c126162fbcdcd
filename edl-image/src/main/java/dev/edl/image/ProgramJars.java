package dev.edl.image;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The class path of a program as jars, in its order. A folder of classes becomes one jar with the same bytes each time. */
final class ProgramJars {
    /** One jar. */
    record Jar(String name, Path file, String digest, Frequency changes) {}

    /** How often a jar changes, from seldom to often. */
    enum Frequency {
        /** Jars of released versions. */
        LIBRARY,
        /** Jars whose version is a snapshot. */
        SNAPSHOT,
        /** Folders of classes. */
        CLASSES
    }

    private final List<Jar> jars;

    private ProgramJars(List<Jar> jars) {
        this.jars = List.copyOf(jars);
    }

    /**
     * Returns the jars of class path entries.
     *
     * @param cache folder for the jars of folders, which are named by their digests
     */
    static ProgramJars of(List<Path> entries, Path cache) throws IOException {
        List<Jar> jars = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                Path jar = pack(entry, cache);
                String digest = jar.getFileName().toString().replace(".jar", "");
                jars.add(new Jar(unique("classes.jar", names), jar, digest, Frequency.CLASSES));
            } else {
                String name = entry.getFileName().toString();
                Frequency changes = name.contains("-SNAPSHOT") ? Frequency.SNAPSHOT : Frequency.LIBRARY;
                jars.add(new Jar(unique(name, names), entry, digest(entry), changes));
            }
        }
        return new ProgramJars(jars);
    }

    List<Jar> jars() {
        return jars;
    }

    List<Jar> jars(Frequency changes) {
        return jars.stream().filter(jar -> jar.changes() == changes).toList();
    }

    /** A name that ends with .jar, which java's wildcard finds, and that no other entry has. */
    private static String unique(String file, Set<String> names) {
        String stem = file.toLowerCase(Locale.ROOT).endsWith(".jar") ? file.substring(0, file.length() - 4) : file;
        String name = stem + ".jar";
        for (int i = 2; !names.add(name); i++) {
            name = stem + "-" + i + ".jar";
        }
        return name;
    }

    /** Entries are stored, since compressed bytes depend on the Java version; an image's layers are compressed. */
    private static Path pack(Path folder, Path cache) throws IOException {
        Files.createDirectories(cache);
        Path written = Files.createTempFile(cache, "classes-", ".new");
        try {
            MessageDigest sha = sha256();
            try (OutputStream file = Files.newOutputStream(written);
                    DigestOutputStream digested = new DigestOutputStream(new BufferedOutputStream(file), sha);
                    ZipOutputStream zip = new ZipOutputStream(digested);
                    Stream<Path> tree = Files.walk(folder)) {
                zip.setMethod(ZipOutputStream.STORED);
                List<String> paths = tree.filter(Files::isRegularFile)
                        .map(path -> folder.relativize(path).toString().replace('\\', '/'))
                        .sorted()
                        .toList();
                for (String path : paths) {
                    store(zip, path, Files.readAllBytes(folder.resolve(path)));
                }
            }
            Path jar = cache.resolve(HexFormat.of().formatHex(sha.digest()) + ".jar");
            if (!Files.exists(jar)) {
                moved(written, jar);
            }
            return jar;
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private static void moved(Path written, Path jar) throws IOException {
        try {
            Files.move(written, jar, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException byAnotherProcess) {
            // It has the same bytes.
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

    private static String digest(Path file) throws IOException {
        MessageDigest sha = sha256();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
