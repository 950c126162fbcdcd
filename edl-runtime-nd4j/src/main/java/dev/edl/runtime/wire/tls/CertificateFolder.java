package dev.edl.runtime.wire.tls;

import dev.edl.runtime.internal.text.ExceptionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A folder with certificates that the platform may replace at any time. Files that do not belong together, as within a
 * replacement, change nothing. Safe for several threads.
 */
final class CertificateFolder {
    private static final System.Logger LOG = System.getLogger(CertificateFolder.class.getName());
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path folder;
    private final SecureRandom random;
    private final LongSupplier nanoTime;
    private List<Version> versions;
    private TlsContext context;
    private long looked;
    private boolean warned;

    /** A version of a file, without its content. */
    private record Version(Path real, FileTime modified, long size) {
        static Version of(Path file) throws IOException {
            Path real = file.toRealPath();
            BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
            return new Version(real, attributes.lastModifiedTime(), attributes.size());
        }
    }

    CertificateFolder(Path folder, SecureRandom random, LongSupplier nanoTime) throws IOException {
        this.folder = folder;
        this.random = random;
        this.nanoTime = nanoTime;
        this.looked = nanoTime.getAsLong();
        this.versions = versions();
        this.context = CertificateFiles.read(folder, random);
    }

    private List<Version> versions() throws IOException {
        List<Version> found = new ArrayList<>();
        for (String name : CertificateFiles.NAMES) {
            Path file = folder.resolve(name);
            if (!Files.exists(file)) {
                throw new IllegalArgumentException(
                        file + " does not exist; " + folder + " must have " + CertificateFiles.NAMES + " in PEM");
            }
            found.add(Version.of(file));
        }
        return found;
    }

    /** Returns the context of the newest valid files. Looks at the files at most once a second. */
    synchronized TlsContext context() {
        long now = nanoTime.getAsLong();
        if (now - looked >= LOOK_NANOS) {
            looked = now;
            reloadIfChanged();
        }
        return context;
    }

    private void reloadIfChanged() {
        try {
            List<Version> found = versions();
            if (!found.equals(versions)) {
                TlsContext read = CertificateFiles.read(folder, random);
                if (!found.equals(versions())) {
                    throw new IOException("the files changed while they were read");
                }
                versions = found;
                context = read;
                LOG.log(System.Logger.Level.INFO, () -> "reloaded the TLS certificate from " + folder);
            }
            warned = false;
        } catch (IOException | IllegalArgumentException e) {
            if (!warned) {
                warned = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        () -> "cannot reload the TLS certificate from " + folder + ", keeping the current one: "
                                + ExceptionText.of(e));
            }
        }
    }
}
