package dev.edl.k8s.internal.exec;

import dev.edl.RoleType;
import dev.edl.exec.Subscription;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.internal.pods.FileReaderPod;
import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.spi.JobPods;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One file of a job's volumes, read by a temporary reader pod. The pod's program sends the file on the pod's loopback
 * address, as {@code dev.edl.runtime.program.FileSender} specifies, and the API server's port-forward transports it.
 *
 * <p>This does not need the job's token, which a submitter may not be allowed to read. The pod has the digest of a
 * random key of this file instead. Used once.
 */
public final class PodFile {
    private static final Logger LOG = System.getLogger(PodFile.class.getName());
    private static final int KEY_BYTES = 32;
    private static final int DIGEST_BYTES = 32;
    private static final int SUFFIX_BYTES = 4;
    private static final int BUFFER = 64 * 1024;
    /** Delay in milliseconds before the next try to connect to a pod that did not answer. */
    private static final long AGAIN_MILLIS = 200;

    private final JobPods job;
    private final String path;
    private final Duration limit;
    private final byte[] key = new byte[KEY_BYTES];
    private final Pod pod;
    private long end;
    private boolean known;

    /**
     * Creates a read that has not started.
     *
     * @param limit longest duration of the read, including the start of the pod
     * @param random generates the key, which no other program may guess
     * @throws IllegalArgumentException when no volume of the master can have the file, or the limit is not positive
     */
    public PodFile(JobPods job, String path, Duration limit, Random random) {
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
    public void to(OutputStream to, long most) throws IOException, InterruptedException {
        end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit);
        job.confirmDriver();
        try {
            MissingPermission.telling(() -> job.client().resource(pod).create());
            read(to, most);
        } finally {
            delete();
        }
    }

    private String name() {
        return pod.getMetadata().getName();
    }

    private void delete() {
        try {
            MissingPermission.telling(() -> job.client()
                    .pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(name())
                    .withGracePeriod(0)
                    .delete());
        } catch (KubernetesClientException e) {
            // The file was read. The pod ends by its deadline and is deleted with the job's record.
            LOG.log(Level.WARNING, () -> "pod " + name() + " cannot be deleted: " + e.getMessage());
        }
    }

    private void read(OutputStream to, long most) throws IOException, InterruptedException {
        Semaphore changed = new Semaphore(0);
        Subscription changes = job.onChange(changed::release);
        try {
            @Nullable IOException last = null;
            while (true) {
                if (isRunning(last)) {
                    Optional<IOException> silence = answered(to, most);
                    if (silence.isEmpty()) {
                        return;
                    }
                    // The earlier failure is more specific than the timeout.
                    last = last == null || System.nanoTime() - end < 0 ? silence.get() : last;
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                changed.tryAcquire(last == null ? left : Math.min(left, AGAIN_MILLIS), TimeUnit.MILLISECONDS);
                changed.drainPermits();
            }
        } finally {
            changes.close();
        }
    }

    /**
     * Returns whether the pod runs; false while it may still start.
     *
     * @param last failure of the last try to connect; null before the first
     * @throws IOException when the pod will not run, or the time limit has passed
     */
    private boolean isRunning(@Nullable IOException last) throws IOException {
        Optional<Pod> seen = job.pod(name());
        Optional<ObservedReplica> view = seen.map(there -> PodMapper.of(there, RoleType.MASTER, 0));
        String says = view.map(PodFile::words).orElse("");
        if (seen.isEmpty() && known) {
            throw failed("pod " + name() + " was deleted", last);
        }
        known |= seen.isPresent();
        if (view.filter(one -> one.phase() == ObservedPhase.SUCCEEDED || one.phase() == ObservedPhase.FAILED)
                .isPresent()) {
            throw failed("pod " + name() + " has ended" + says + program(), last);
        }
        if (System.nanoTime() - end >= 0) {
            String limit = " within " + this.limit.toString().substring(2).toLowerCase(Locale.ROOT);
            throw failed(
                    last == null
                            ? "pod " + name() + " does not run" + limit + says
                            : "pod " + name() + " has not answered" + limit + ": " + last.getMessage() + program(),
                    last);
        }
        return seen.filter(there -> UnreachableContainer.stops(
                                there, there.getMetadata().getUid(), MainContainer.name(there))
                        .isEmpty())
                .isPresent();
    }

    private static String words(ObservedReplica pod) {
        return (pod.exitCode().isPresent() ? " with exit code " + pod.exitCode().getAsInt() : "")
                + pod.reason().map(reason -> ": " + reason).orElse("")
                + pod.message().map(message -> ": " + message.strip()).orElse("");
    }

    private static String program() {
        return "; the image's program must call TrainingProgram.run of this version of EDL";
    }

    private IOException failed(String why, @Nullable Throwable cause) {
        return new IOException("job \"" + job.plan().name() + "\": " + path + " was not read: " + why, cause);
    }

    /**
     * Connects to the pod and copies the file to {@code to}. Returns empty after the whole file was copied, or the
     * failure to connect if a retry may help.
     */
    private Optional<IOException> answered(OutputStream to, long most) throws IOException, InterruptedException {
        boolean begun = false;
        try (PortChannel channel =
                PortChannel.open(job.client(), job::pod, job::onChange, name(), FileReaderPod.PORT)) {
            channel.until(end);
            channel.write(ByteBuffer.wrap(key));
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            long length = in.readLong();
            begun = true;
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
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("reading " + path + " was interrupted");
            }
            if (begun || isRefused(e)) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /** Signals the pod's program that the file was received, so that the program may end. */
    private static void taken(PortChannel channel) {
        try {
            channel.write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "all was read, and the pod is deleted at once", e);
        }
    }

    /**
     * Returns whether the API server rejected the WebSocket handshake with a code below 500, so that a retry is
     * useless.
     */
    private static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof WebSocketHandshakeException answer) {
                return answer.getResponse().code() < HttpURLConnection.HTTP_INTERNAL_ERROR;
            }
        }
        return false;
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
