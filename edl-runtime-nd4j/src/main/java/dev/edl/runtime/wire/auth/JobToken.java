package dev.edl.runtime.wire.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The shared secret of a job's processes, which is never sent. Immutable.
 *
 * <p>Its file is one line of 64 hexadecimal digits, which only its owner can read.
 */
public final class JobToken {
    /** Name of the environment variable that holds the path of the token's file. */
    public static final String TOKEN_FILE = "EDL_TOKEN_FILE";

    private static final int BYTES = 32;
    private static final String MAC = "HmacSHA256";
    /** Maximum size of a token's file in bytes; a longer file is rejected unread. */
    private static final long LONGEST_FILE = 256;

    private final byte[] secret;

    private JobToken(byte[] secret) {
        this.secret = secret;
    }

    /** Returns a new random token. */
    public static JobToken create(SecureRandom random) {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        return new JobToken(secret);
    }

    /**
     * Reads the token from the file that {@value #TOKEN_FILE} names.
     *
     * @throws IllegalArgumentException when the variable is missing, or its file holds no token
     */
    public static JobToken of(Map<String, String> environment) throws IOException {
        String file = environment.get(TOKEN_FILE);
        if (file == null || file.isBlank()) {
            throw new IllegalArgumentException(TOKEN_FILE
                    + " is not set; it must be the path of the file with the job's token, for example /run/edl/token");
        }
        return read(Path.of(file));
    }

    /** Reads a token from its file. */
    public static JobToken read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(
                    file + " does not exist; it must hold the job's token, one line of 64 hexadecimal" + " digits");
        }
        long size = Files.size(file);
        String text = size > LONGEST_FILE ? "" : Files.readString(file).strip();
        try {
            byte[] secret = HexFormat.of().parseHex(text);
            if (secret.length == BYTES) {
                return new JobToken(secret);
            }
        } catch (IllegalArgumentException e) {
            // The same error as for a wrong length, and without the text.
        }
        throw new IllegalArgumentException(
                file + " holds no token: it must be one line of 64 hexadecimal digits, had " + size + " bytes");
    }

    /** Writes the token to a file that only its owner can read. Replaces an existing file. */
    public void write(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Path part = Files.createTempFile(directory, ".token", ".part", ownerOnly(file));
        try {
            Files.writeString(part, HexFormat.of().formatHex(secret) + "\n");
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(
                    Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))
        };
    }

    /** Returns the HMAC-SHA256 of a message, with the token as the key. */
    byte[] mac(byte[] message) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret, MAC));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + MAC + ", which every Java platform must have", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobToken token && MessageDigest.isEqual(token.secret, secret);
    }

    @Override
    public int hashCode() {
        return JobToken.class.hashCode();
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "token of 32 bytes";
    }
}
