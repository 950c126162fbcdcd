package dev.edl.image;

import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Files on a PersistentVolumeClaim, such as the data of a training and its models. A temporary pod of any image with a
 * Java runtime mounts the claim; the image needs no shell and no {@code tar}.
 *
 * <pre>{@code
 * ClaimFiles files = ClaimFiles.of(client, "default", "training-data");
 * files.put(Path.of("mnist"), "mnist", "eclipse-temurin:17-jre", Duration.ofHours(1), progress -> {});
 * files.get("models", Path.of("models"), "eclipse-temurin:17-jre", Duration.ofHours(1), System.out::println);
 * }</pre>
 *
 * <ul>
 * <li>A file is skipped if the destination has it with the same SHA-256. Other files of the destination stay.
 * <li>A file is written as {@code .edl-SHA256.part}. Once its SHA-256 matches, it is renamed atomically and replaces an
 *     existing file. A later transfer resumes a partial file. Partial files are never copied. A transfer deletes those
 *     in its folders that are older than one day.
 * <li>Empty folders are copied. Permissions and times are not.
 * <li>A symbolic link to a file below the source is copied as that file. Any other link is refused before the first
 *     copy. So is a link on the path of a destination file.
 * </ul>
 *
 * <p>Thread-safe. Transfers of the same files at the same time do not disturb each other.
 */
public final class ClaimFiles {
    /** Longest path of Linux. */
    private static final int LONGEST_PATH = 4096;

    private final ClassPathClaim claim;

    private ClaimFiles(ClassPathClaim claim) {
        this.claim = claim;
    }

    /**
     * Returns a claim, which must exist when files travel.
     *
     * @param client Kubernetes client of the cluster; the caller closes it
     * @param namespace namespace of the claim
     * @param claim name of the claim
     * @throws IllegalArgumentException if a name is none of Kubernetes
     */
    public static ClaimFiles of(KubernetesClient client, String namespace, String claim) {
        return new ClaimFiles(ClassPathClaim.of(client, namespace, claim));
    }

    /** Returns the claim with options of its temporary pods, as {@link ClassPathClaim#podOptions}. */
    public ClaimFiles podOptions(PodOptions options) {
        return new ClaimFiles(claim.podOptions(options));
    }

    /**
     * Sends a file, or all files below a folder, into a folder of the claim.
     *
     * @param from file or folder of this machine
     * @param path folder of the claim, relative to its root, for example {@code mnist/train}; empty for the root. It is
     *     created if it does not exist
     * @param image image of the temporary pod, with {@code java} of version 17 or later on its {@code PATH}
     * @param limit longest duration, including the start of the pod
     * @param progress receives the state after each 64 KiB and each file
     * @return the state at the end
     * @throws IllegalArgumentException if {@code from} does not exist, the path is absolute or has {@code ..}, the limit
     *     is not positive, or the image no name of one
     * @throws IOException if the claim does not exist, the pod does not run, or a file cannot be read or written. A
     *     message about a digest has both
     * @throws KubernetesClientException if the API server refuses a request; for a missing permission, the message has
     *     the command that grants it
     */
    public ClaimTransfer put(Path from, String path, String image, Duration limit, Consumer<ClaimTransfer> progress)
            throws IOException, InterruptedException {
        if (!Files.exists(from)) {
            throw new IllegalArgumentException("from must be a folder or a file that exists, was \"" + from
                    + "\"; for example Path.of(\"mnist\")");
        }
        return transfer(true, path, from, image, limit, progress);
    }

    /**
     * Receives a file, or all files below a folder of the claim, into a folder of this machine.
     *
     * @param path file or folder of the claim, relative to its root, for example {@code models}; empty for the root
     * @param to folder of this machine, which is created if it does not exist
     * @param image as for {@link #put}
     * @param limit as for {@code put}
     * @param progress as for {@code put}
     * @return the state at the end
     * @throws IllegalArgumentException as {@code put}, and if {@code to} or a folder above it is a file
     * @throws IOException as {@code put}, and if the path does not exist
     * @throws KubernetesClientException as {@code put}
     */
    public ClaimTransfer get(String path, Path to, String image, Duration limit, Consumer<ClaimTransfer> progress)
            throws IOException, InterruptedException {
        Optional<Path> file = TransferFileNames.inTheWay(to);
        if (file.isPresent()) {
            throw new IllegalArgumentException("to must be a folder or absent, was \"" + to + "\", but " + file.get()
                    + " is a file; for example Path.of(\"models\")");
        }
        return transfer(false, path, to, image, limit, progress);
    }

    private ClaimTransfer transfer(
            boolean put, String path, Path local, String image, Duration limit, Consumer<ClaimTransfer> progress)
            throws IOException, InterruptedException {
        if (!path.isEmpty() && !TransferFileNames.isRelative(path)) {
            throw new IllegalArgumentException("path must be relative to the claim's root, without \"..\", was \""
                    + path + "\"; for example mnist/train");
        }
        if (path.length() > LONGEST_PATH) {
            throw new IllegalArgumentException("path must have at most " + LONGEST_PATH + " characters, had "
                    + path.length() + "; for example mnist/train");
        }
        TransferCounters count = new TransferCounters(progress);
        claim.exchange(
                image,
                limit,
                put ? "files were not sent: " : "files were not received: ",
                () -> count.state().doneFiles() == 0 && count.state().sentBytes() == 0
                        ? ""
                        : "; " + count.state() + "; the next transfer continues",
                (channel, key) -> with(channel, put, key, path, local, count));
        return count.state();
    }

    /** Returns empty after the last file, or why the connection broke; throws if a file is refused. */
    static Optional<IOException> with(
            ByteChannel channel, boolean put, byte[] key, String path, Path local, TransferCounters count)
            throws TransferRejectedException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
        try {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            DataOutputStream to = new DataOutputStream(request);
            to.write(key);
            to.write(put ? ClassPathReceiver.PUT : ClassPathReceiver.GET);
            to.writeUTF(path);
            request.writeTo(out);
            if (put) {
                new FileSender(in, out, count).send(local);
                out.write(ClassPathReceiver.DONE);
            } else {
                FileReceiver.receive(local, in, out, " may not be written by this user", count);
            }
            return Optional.empty();
        } catch (TransferRejectedException e) {
            throw e;
        } catch (IOException e) {
            return Optional.of(e);
        }
    }
}
