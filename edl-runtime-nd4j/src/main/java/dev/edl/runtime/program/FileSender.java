package dev.edl.runtime.program;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.program.TrainingProgram.UsageException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends one file to the submitter of a job, which cannot reach the volumes of its pods. It listens on the loopback
 * address: the port-forward of the API server reaches it, the network does not.
 *
 * <p>The caller sends a secret key of 32 bytes, whose SHA-256 is in the sender's environment. The response is the
 * file's length as eight bytes, its bytes, and their SHA-256; or the length -1 and the reason as modified UTF-8. The
 * caller acknowledges a complete transfer with a last byte.
 */
final class FileSender {
    /** Value of {@code EDL_ROLE} for a process that sends a file. Module edl-k8s sets it, and the three variables. */
    static final String ROLE = "reader";

    static final String FILE = "EDL_FILE";
    static final String PORT = "EDL_FILE_PORT";
    /**
     * Environment variable with the SHA-256 of the secret key, in hexadecimal digits, so that a reader of the pod's
     * spec does not learn the key.
     */
    static final String KEY = "EDL_FILE_KEY";

    private static final int KEY_BYTES = 32;
    private static final long NONE = -1;
    private static final Duration CALLER = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final int BUFFER = 64 * 1024;

    private final String file;
    private final byte[] key;
    private final LongSupplier nanos;

    private FileSender(String file, byte[] key, LongSupplier nanos) {
        this.file = file;
        this.key = key;
        this.nanos = nanos;
    }

    /** Returns the sender of the file that the environment names. */
    static FileSender of(Map<String, String> environment) {
        return of(environment, System::nanoTime);
    }

    /** Returns the sender with a clock that bounds the wait for each caller's key. */
    static FileSender of(Map<String, String> environment, LongSupplier nanos) {
        byte[] key = new byte[0];
        try {
            key = HexFormat.of().parseHex(variable(environment, KEY));
        } catch (IllegalArgumentException e) {
            // Reported like a key of the wrong length.
        }
        if (key.length != KEY_BYTES) {
            throw new UsageException(KEY + " must be the 64 hexadecimal digits of a SHA-256");
        }
        return new FileSender(variable(environment, FILE), key, nanos);
    }

    /** Listens on the port that the environment names, until the file is sent; returns the exit code. */
    static int run(Map<String, String> environment) throws IOException {
        FileSender sender = of(environment);
        String port = variable(environment, PORT);
        if (!port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > 65535) {
            throw new UsageException(PORT + " must be from 1 to 65535, was \"" + port + "\"; for example 50003");
        }
        try (ServerSocket listener = new ServerSocket(Integer.parseInt(port), 0, InetAddress.getLoopbackAddress())) {
            return sender.serve(listener, CALLER);
        }
    }

    private static String variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .orElseThrow(() -> new UsageException(name + " is not set; EDL_ROLE reader needs " + FILE + ", " + PORT
                        + " and " + KEY + ", which KubernetesRun.read sets"));
    }

    /**
     * Serves callers until one of them has sent the key and acknowledged the complete transfer.
     *
     * @param limit maximum wait for a caller
     * @return the exit code
     * @throws TryAgainException if no caller comes in time
     */
    int serve(ServerSocket listener, Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        for (long left = limit.toMillis(); left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            listener.setSoTimeout((int) left);
            try (Socket caller = listener.accept()) {
                try {
                    DataInputStream in = new DataInputStream(caller.getInputStream());
                    if (MessageDigest.isEqual(key, sha256().digest(key(caller, in)))) {
                        caller.setSoTimeout((int) SILENCE.toMillis());
                        return answer(caller, in);
                    }
                    System.err.println("a caller without the key was rejected");
                } catch (IOException broken) {
                    System.err.println(file + " was not sent: " + broken.getMessage());
                }
            } catch (SocketTimeoutException noCaller) {
                break;
            }
        }
        throw new TryAgainException("no caller with the key received " + file + " within " + DurationText.of(limit));
    }

    /** Reads the key within one bound, so that a caller without it cannot hold the sender. */
    private byte[] key(Socket caller, InputStream in) throws IOException {
        byte[] sent = new byte[KEY_BYTES];
        long end = nanos.getAsLong() + SILENCE.toNanos();
        for (int i = 0; i < sent.length; i++) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - nanos.getAsLong());
            if (left <= 0) {
                throw new SocketTimeoutException("the key was not sent within " + DurationText.of(SILENCE));
            }
            caller.setSoTimeout((int) left);
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended before the key");
            }
            sent[i] = (byte) next;
        }
        return sent;
    }

    private int answer(Socket caller, DataInputStream in) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(caller.getOutputStream(), BUFFER));
        Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            System.err.println(refusal.get());
            out.writeLong(NONE);
            out.writeUTF(refusal.get());
            out.flush();
            in.readByte();
            return SharedTrainingState.CANNOT_SUCCEED;
        }
        // No read timeout, because a slow link may take long. The pod has a deadline, and a disconnect ends the read.
        send(out);
        caller.setSoTimeout(0);
        in.readByte();
        return 0;
    }

    private Optional<String> refusal() {
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                return Optional.of(file + " is a directory; name a file in it");
            }
            if (!Files.isRegularFile(path)) {
                return Optional.of(file + (Files.exists(path) ? " is not a regular file" : " does not exist"));
            }
            return Files.isReadable(path)
                    ? Optional.empty()
                    : Optional.of(file + " may not be read by the pod's user, " + System.getProperty("user.name"));
        } catch (InvalidPathException e) {
            return Optional.of(file + " is not a path: " + e.getMessage());
        }
    }

    private void send(DataOutputStream out) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(file));
                InputStream bytes = Channels.newInputStream(channel)) {
            long length = channel.size();
            MessageDigest digest = sha256();
            out.writeLong(length);
            byte[] buffer = new byte[BUFFER];
            for (long left = length; left > 0; ) {
                int count = bytes.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (count < 0) {
                    throw new IOException(
                            file + " has become shorter by " + left + " bytes while it was sent; send it again");
                }
                digest.update(buffer, 0, count);
                out.write(buffer, 0, count);
                left -= count;
            }
            out.write(digest.digest());
            out.flush();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-256, which every Java platform must have", e);
        }
    }
}
