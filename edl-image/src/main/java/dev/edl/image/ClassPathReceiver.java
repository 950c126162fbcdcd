package dev.edl.image;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Receives jars into a folder, each named by its SHA-256, and removes unused ones. It is the program of a temporary
 * pod, which has only this class and a Java runtime: it has no dependency and no nested class.
 *
 * <p>The caller sends a secret key of 32 bytes, whose SHA-256 is in the environment, and the byte of a request:
 *
 * <ul>
 * <li>{@link #UPLOAD}: the answer is this Java's version as four bytes, and the architecture as modified UTF-8.
 *     For each jar, the caller sends the jar's SHA-256 and its length as eight bytes. The answer is
 *     {@link #THERE}, or the number of bytes that an earlier upload left; the caller sends the following ones, and then
 *     again receives an answer. A digest of zeros ends the upload, and is answered by {@link #THERE}.
 * <li>{@link #LIST} and {@link #PRUNE}: the caller sends the shortest age of an unused file in milliseconds, the number
 *     of used jars as four bytes, and their digests. The answer is {@link #THERE}, number and bytes of all files, and
 *     number and bytes of the unused ones. {@code PRUNE} removes these. A file's age begins with its last upload.
 * </ul>
 *
 * <p>Any answer can be {@link #REFUSED}, followed by the reason as modified UTF-8. After the last answer, the caller
 * sends a byte. Without it, the answer may be lost, and the next connection may repeat the request.
 *
 * <p>Uploads of the same jar at the same time write the same bytes at the same positions. If the file of an earlier
 * upload is damaged, each upload begins again in a file of its own.
 */
final class ClassPathReceiver {
    static final String KEY = "EDL_CLASSES_KEY";
    static final int KEY_BYTES = 32;
    static final int DIGEST_BYTES = 32;
    static final int UPLOAD = 1;
    static final int LIST = 2;
    static final int PRUNE = 3;
    static final int DONE = 4;
    static final long THERE = -1;
    static final long REFUSED = -2;

    private static final int SILENCE_MILLIS = 20_000;
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final byte[] key;
    private final LongSupplier nanos;

    ClassPathReceiver(Path folder, byte[] key) {
        this(folder, key, System::nanoTime);
    }

    /** Creates a receiver with a clock that bounds the wait for each caller's key. */
    ClassPathReceiver(Path folder, byte[] key, LongSupplier nanos) {
        this.folder = folder;
        this.key = key;
        this.nanos = nanos;
    }

    /** Takes the folder, the port on the loopback address and the longest wait for a caller in seconds. */
    public static void main(String[] args) throws IOException {
        byte[] key = HexFormat.of().parseHex(System.getenv(KEY));
        try (ServerSocket listener = new ServerSocket(Integer.parseInt(args[1]), 0, InetAddress.getLoopbackAddress())) {
            boolean complete = new ClassPathReceiver(Path.of(args[0]), key)
                    .serve(listener, TimeUnit.SECONDS.toMillis(Long.parseLong(args[2])));
            System.exit(complete ? 0 : 1);
        }
    }

    /** Serves one caller after another until a request ends; returns whether it is complete. */
    boolean serve(ServerSocket listener, long millis) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            listener.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            try (Socket caller = listener.accept()) {
                try {
                    DataInputStream in = new DataInputStream(new BufferedInputStream(caller.getInputStream(), BUFFER));
                    if (MessageDigest.isEqual(key, sha256().digest(key(caller, in)))) {
                        caller.setSoTimeout(SILENCE_MILLIS);
                        DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                        int request = in.readUnsignedByte();
                        return request == UPLOAD ? receive(in, out) : unused(in, out, request == PRUNE);
                    }
                    System.err.println("a caller without the key was rejected");
                } catch (IOException broken) {
                    System.err.println("a connection broke: " + broken.getMessage());
                }
            } catch (SocketTimeoutException noCaller) {
                break;
            }
        }
        System.err.println("no caller has completed a request in time");
        return false;
    }

    /** Reads the key within one bound, so that a caller without it cannot hold the receiver. */
    private byte[] key(Socket caller, InputStream in) throws IOException {
        byte[] sent = new byte[KEY_BYTES];
        long end = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS);
        for (int i = 0; i < sent.length; i++) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - nanos.getAsLong());
            if (left <= 0) {
                throw new SocketTimeoutException("the key was not sent within " + SILENCE_MILLIS / 1000 + " s");
            }
            caller.setSoTimeout((int) left);
            int next = in.read();
            if (next < 0) {
                throw new IOException("it ended before the key");
            }
            sent[i] = (byte) next;
        }
        return sent;
    }

    private boolean receive(DataInputStream in, DataOutputStream out) throws IOException {
        out.writeInt(Runtime.version().feature());
        out.writeUTF(System.getProperty("os.arch"));
        while (true) {
            byte[] digest = new byte[DIGEST_BYTES];
            in.readFully(digest);
            if (MessageDigest.isEqual(digest, new byte[DIGEST_BYTES])) {
                out.writeLong(THERE);
                return isAnswered(in);
            }
            String refusal = jar(HexFormat.of().formatHex(digest), in.readLong(), in, out);
            if (!refusal.isEmpty()) {
                return refuse(refusal, in, out);
            }
            out.writeLong(THERE);
        }
    }

    private static boolean refuse(String why, DataInputStream in, DataOutputStream out) throws IOException {
        System.err.println(why);
        out.writeLong(REFUSED);
        out.writeUTF(why);
        // The caller closes the connection after it has read the reason.
        int unused = in.read();
        return false;
    }

    /** Returns whether the caller has the last answer; throws if the connection broke before. */
    private static boolean isAnswered(DataInputStream in) throws IOException {
        return in.readUnsignedByte() == DONE;
    }

    private boolean unused(DataInputStream in, DataOutputStream out, boolean remove) throws IOException {
        long latest = System.currentTimeMillis() - in.readLong();
        Set<String> used = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            byte[] digest = new byte[DIGEST_BYTES];
            // A part of the list would remove jars that jobs use.
            in.readFully(digest);
            used.add(HexFormat.of().formatHex(digest));
        }
        long[] counts = new long[4];
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{jar,part}")) {
            for (Path file : files) {
                String digest = file.getFileName().toString().replaceFirst("[.].*", "");
                if (!digest.matches("[0-9a-f]{64}") || !Files.isRegularFile(file)) {
                    continue;
                }
                boolean old = !used.contains(digest)
                        && Files.getLastModifiedTime(file).toMillis() <= latest;
                for (int i = 0; i < (old ? counts.length : 2); i += 2) {
                    counts[i]++;
                    counts[i + 1] += Files.size(file);
                }
                if (old && remove) {
                    Files.delete(file);
                }
            }
        } catch (AccessDeniedException e) {
            return refuse(problem(folder, e), in, out);
        } catch (IOException | DirectoryIteratorException e) {
            return refuse("the files of " + folder + " were not listed or not removed: " + e, in, out);
        }
        out.writeLong(THERE);
        for (long count : counts) {
            out.writeLong(count);
        }
        return isAnswered(in);
    }

    /** Receives a jar that the folder has not, or has damaged; returns why it cannot be kept, or an empty text. */
    private String jar(String digest, long length, DataInputStream in, DataOutputStream out) throws IOException {
        Path jar = folder.resolve(digest + ".jar");
        Path shared = folder.resolve(digest + ".part");
        Path part = shared;
        while (true) {
            if (isWhole(jar, digest)) {
                return "";
            }
            FileChannel file;
            long from;
            try {
                file = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                from = file.size() > length ? 0 : file.size();
            } catch (IOException e) {
                return problem(jar, e);
            }
            try (file) {
                out.writeLong(from);
                String problem = write(file, from, length, in);
                if (!problem.isEmpty()) {
                    return jar + " was not written: " + problem;
                }
            } catch (IOException broken) {
                if (!part.equals(shared)) {
                    // The next connection continues it.
                    Files.move(part, shared, StandardCopyOption.ATOMIC_MOVE);
                }
                throw broken;
            }
            try {
                String found = digest(part);
                if (found.equals(digest)) {
                    Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
                    touch(jar);
                    return "";
                } else {
                    Files.deleteIfExists(part);
                    if (!part.equals(shared)) {
                        return jar + " was not kept: its SHA-256 must be " + digest + ", was " + found
                                + "; its file may have changed during the upload";
                    }
                    part = folder.resolve(digest + "." + UUID.randomUUID() + ".part");
                }
            } catch (NoSuchFileException e) {
                // Another upload has moved or removed the same file, which this one then sends on its own.
                part = folder.resolve(digest + "." + UUID.randomUUID() + ".part");
            } catch (IOException e) {
                return problem(jar, e);
            }
        }
    }

    /**
     * Returns whether the folder has a jar, whose age begins anew. The age begins first: else a removal of unused jars
     * could delete the jar while its digest is computed.
     */
    private static boolean isWhole(Path jar, String digest) {
        try {
            touch(jar);
            return digest(jar).equals(digest) && Files.isRegularFile(jar);
        } catch (IOException absentOrForeign) {
            // The caller sends the jar, which replaces a file of another user.
            return false;
        }
    }

    /** Begins the age of a file anew by the clock that {@link #unused} reads. */
    private static void touch(Path jar) throws IOException {
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis()));
    }

    private static String problem(Path jar, IOException why) {
        return why instanceof AccessDeniedException
                ? jar
                        + " may not be written by the pod's user, whose number is 1000; a volume that ignores fsGroup,"
                        + " such as NFS or a host path, needs a folder that this user may write:"
                        + " chgrp 1000 FOLDER && chmod g+rwx FOLDER"
                : jar + " was not written: " + why;
    }

    /** Writes what the caller sends; returns why it could not. It reads all, so that the caller reads the reason. */
    private static String write(FileChannel file, long from, long length, InputStream in) throws IOException {
        String problem = "";
        byte[] buffer = new byte[BUFFER];
        for (long at = from; at < length; ) {
            int count = in.read(buffer, 0, (int) Math.min(length - at, buffer.length));
            if (count < 0) {
                throw new IOException("it ended after " + at + " of " + length + " bytes");
            }
            try {
                for (ByteBuffer rest = ByteBuffer.wrap(buffer, 0, count); problem.isEmpty() && rest.hasRemaining(); ) {
                    file.write(rest, at + rest.position());
                }
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
            at += count;
        }
        try {
            file.truncate(length);
            file.force(true);
        } catch (IOException e) {
            problem = problem.isEmpty() ? String.valueOf(e.getMessage()) : problem;
        }
        return problem;
    }

    static String digest(Path file) throws IOException {
        MessageDigest sha = sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                sha.update(buffer, 0, count);
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
