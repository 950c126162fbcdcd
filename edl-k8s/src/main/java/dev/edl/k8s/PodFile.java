package dev.edl.k8s;

import dev.edl.k8s.internal.pods.FileReaderPod;
import dev.edl.k8s.spi.JobPods;
import dev.edl.k8s.spi.TemporaryPod;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One file of a job's volumes, read by a temporary reader pod. The pod's program sends the file on the pod's loopback
 * address, as {@code dev.edl.runtime.program.FileSender} specifies, and the API server's port-forward transports it.
 *
 * <p>This does not need the job's token, which a submitter may not be allowed to read. Instead, the pod has the
 * digest of a random key of this file. For one use.
 */
final class PodFile {
    private static final Logger LOG = System.getLogger(PodFile.class.getName());
    private static final int KEY_BYTES = 32;
    private static final int DIGEST_BYTES = 32;
    private static final int SUFFIX_BYTES = 4;
    private static final int BUFFER = 64 * 1024;

    private final JobPods job;
    private final String path;
    private final Duration limit;
    private final byte[] key = new byte[KEY_BYTES];
    private final Pod pod;

    /**
     * Creates a read that has not started.
     *
     * @param limit longest duration of the read, including the start of the pod
     * @param random generates the key, which no other program may guess
     * @throws IllegalArgumentException when no volume of the master can have the file, or the limit is not positive
     */
    PodFile(JobPods job, String path, Duration limit, Random random) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(
                    "limit must be more than zero, was " + limit + "; for example Duration.ofMinutes(1)");
        }
        this.job = job;
        this.path = path;
        this.limit = limit;
        random.nextBytes(key);
        byte[] suffix = new byte[SUFFIX_BYTES];
        random.nextBytes(suffix);
        this.pod = FileReaderPod.of(
                job.plan(),
                job.templates(),
                job.owner(),
                path,
                HexFormat.of().formatHex(suffix),
                HexFormat.of().formatHex(sha256().digest(key)),
                limit.toSeconds());
    }

    /**
     * Creates the pod, reads the file and deletes the pod.
     *
     * @param to receives the file's bytes; after a failure it may have received some of them
     * @param most maximum length of the file in bytes; a longer one is not read
     * @throws IOException when the file is not read, with the reason
     */
    void to(OutputStream to, long most) throws IOException, InterruptedException {
        job.confirmDriver();
        String advice = "; the image's program must call TrainingProgram.run of this version of EDL";
        new TemporaryPod(job.client(), pod, limit, task(), () -> advice)
                .run(
                        FileReaderPod.PORT,
                        job::pod,
                        job::onChange,
                        created -> {},
                        channel -> answered(channel, to, most));
    }

    private String task() {
        return "job \"" + job.plan().name() + "\": " + path + " was not read: ";
    }

    private IOException failed(String why, @Nullable Throwable cause) {
        return new IOException(task() + why, cause);
    }

    /** Copies the file to {@code to}. Returns empty after the whole file was copied, or why it has not begun. */
    private Optional<IOException> answered(ByteChannel channel, OutputStream to, long most) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        long length;
        try {
            channel.write(ByteBuffer.wrap(key));
            length = in.readLong();
        } catch (IOException e) {
            return Optional.of(e);
        }
        if (length < 0) {
            String reason = in.readUTF();
            taken(channel);
            throw failed(reason, null);
        }
        if (length > most) {
            throw failed(
                    "it has " + length + " bytes, and an array holds " + most
                            + " at most; read it into a file with read(path, limit, to)",
                    null);
        }
        copy(in, length, to);
        taken(channel);
        return Optional.empty();
    }

    /** Signals the pod's program that the file was received, so that the program may end. */
    private static void taken(ByteChannel channel) {
        try {
            channel.write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "all was read, and the pod is deleted at once", e);
        }
    }

    private void copy(DataInputStream in, long length, OutputStream to) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER];
        long left = length;
        while (left > 0) {
            int count = in.read(buffer, 0, (int) Math.min(left, BUFFER));
            if (count < 0) {
                throw failed("it ended after " + (length - left) + " of " + length + " bytes", null);
            }
            digest.update(buffer, 0, count);
            to.write(buffer, 0, count);
            left -= count;
        }
        byte[] sent = new byte[DIGEST_BYTES];
        try {
            in.readFully(sent);
        } catch (EOFException e) {
            throw failed("it ended before its SHA-256", e);
        }
        if (!MessageDigest.isEqual(sent, digest.digest())) {
            throw failed("its SHA-256 does not match; it was changed in transit", null);
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
