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
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Receives jars into a folder, each named by its SHA-256, and removes unused ones; receives and sends other files. It is
 * the program of a temporary pod, which has only {@link #PROGRAM} and a Java runtime.
 *
 * <p>The caller sends a secret key of 32 bytes, whose SHA-256 is in the environment, and the byte of a request:
 *
 * <ul>
 * <li>{@link #UPLOAD}: the answer is this Java's version as four bytes, and the architecture as modified UTF-8.
 *     For each jar, the caller sends the jar's SHA-256 and its length as eight bytes. The answer is
 *     {@link FileReceiver#THERE}, or the number of bytes that an earlier upload left; the caller sends the following
 *     ones, and then again receives an answer. A digest of zeros ends the upload, and is answered by {@code THERE}.
 * <li>{@link #LIST} and {@link #PRUNE}: the caller sends the shortest age of an unused file in milliseconds, the number
 *     of used jars as four bytes, and their digests. The answer is {@code THERE}, number and bytes of all files, and
 *     number and bytes of the unused ones. {@code PRUNE} removes these. A file's age begins with its last upload.
 * <li>{@link #PUT} and {@link #GET}: the caller sends a path below the folder as modified UTF-8. Then one side is a
 *     {@link FileSender}, and the other one a {@link FileReceiver}. The sender writes a byte for the kind of each
 *     message; {@link FileSender#FAILED} is followed by the reason as modified UTF-8.
 * </ul>
 *
 * <p>Any answer can be {@link FileReceiver#REFUSED}, followed by the reason as modified UTF-8. {@link FileReceiver#WAIT}
 * announces an answer. After the last answer, the caller sends a byte. Without it, the answer may be lost, and the next
 * connection may repeat the request.
 *
 * <p>Uploads of the same jar at the same time write into files of their own. If the file of an earlier upload is
 * damaged, the upload begins again in a separate file.
 */
final class ClassPathReceiver {
    /** Classes that the pod needs. */
    static final List<Class<?>> PROGRAM = List.of(
            ClassPathReceiver.class,
            VerifyingLauncher.class,
            FileReceiver.class,
            PartialFile.class,
            FileSender.class,
            TransferFileNames.class,
            FileDigest.class,
            TransferCounters.class,
            ClaimTransfer.class,
            TransferRejectedException.class);

    static final String KEY = "EDL_CLASSES_KEY";
    static final int KEY_BYTES = 32;
    static final int DIGEST_BYTES = 32;
    static final int UPLOAD = 1;
    static final int LIST = 2;
    static final int PRUNE = 3;
    static final int DONE = 4;
    static final int PUT = 5;
    static final int GET = 6;

    private static final String DENIED =
            " may not be written by the pod's user, whose number is 1000 by default; a volume that ignores fsGroup,"
                    + " such as NFS or a host path, needs a folder that this user may write:"
                    + " chgrp 1000 FOLDER && chmod g+rwx FOLDER";
    private static final int SILENCE_MILLIS = 20_000;
    /** A slow connection may still transport the end of a file when the pod has sent it. */
    private static final int GET_SILENCE_MILLIS = 120_000;

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
                    if (MessageDigest.isEqual(key, FileDigest.sha256().digest(key(caller, in)))) {
                        caller.setSoTimeout(SILENCE_MILLIS);
                        DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                        int request = in.readUnsignedByte();
                        return switch (request) {
                            case UPLOAD -> receive(in, out);
                            case PUT -> put(in, out);
                            case GET -> {
                                caller.setSoTimeout(GET_SILENCE_MILLIS);
                                yield get(in, out);
                            }
                            default -> unused(in, out, request == PRUNE);
                        };
                    }
                    System.err.println("a caller without the key was rejected");
                } catch (IOException broken) {
                    // The end of a stream has no message.
                    System.err.println("a connection broke: "
                            + Objects.requireNonNullElse(broken.getMessage(), "the connection was closed"));
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
        FileReceiver jars = new FileReceiver(in, out, "", true, DENIED, count -> {});
        while (true) {
            byte[] digest = new byte[DIGEST_BYTES];
            in.readFully(digest);
            if (MessageDigest.isEqual(digest, new byte[DIGEST_BYTES])) {
                out.writeLong(FileReceiver.THERE);
                return isAnswered(in);
            }
            try {
                String name = HexFormat.of().formatHex(digest);
                jars.file(folder.resolve(name + ".jar"), name, in.readLong());
            } catch (TransferRejectedException e) {
                return refuse(e.getMessage(), in, out);
            }
            out.writeLong(FileReceiver.THERE);
        }
    }

    private boolean put(DataInputStream in, DataOutputStream out) throws IOException {
        try {
            FileReceiver.receive(
                    TransferFileNames.below(folder, in.readUTF()), in, out, DENIED, new TransferCounters(one -> {}));
        } catch (TransferRejectedException e) {
            return refuse(e.getMessage(), in, out);
        }
        return isAnswered(in);
    }

    private boolean get(DataInputStream in, DataOutputStream out) throws IOException {
        try {
            new FileSender(in, out, new TransferCounters(one -> {}))
                    .send(TransferFileNames.below(folder, in.readUTF()));
            return true;
        } catch (TransferRejectedException e) {
            out.write(FileSender.FAILED);
            return reason(e.getMessage(), in, out);
        }
    }

    private static boolean refuse(String why, DataInputStream in, DataOutputStream out) throws IOException {
        out.writeLong(FileReceiver.REFUSED);
        return reason(why, in, out);
    }

    private static boolean reason(String why, DataInputStream in, DataOutputStream out) throws IOException {
        System.err.println(why);
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
            return refuse(folder + DENIED, in, out);
        } catch (IOException | DirectoryIteratorException e) {
            return refuse("the files of " + folder + " were not listed or not removed: " + e, in, out);
        }
        out.writeLong(FileReceiver.THERE);
        for (long count : counts) {
            out.writeLong(count);
        }
        return isAnswered(in);
    }
}
