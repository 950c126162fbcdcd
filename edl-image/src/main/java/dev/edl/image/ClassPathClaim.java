package dev.edl.image;

import dev.edl.internal.text.KubernetesSyntax;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.spi.TemporaryPod;
import dev.edl.program.ProgramClassPath;
import dev.edl.program.ProgramJars;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * PersistentVolumeClaim with the class paths of programs, for clusters without a registry at hand. Pods of any image
 * with a Java runtime mount it.
 *
 * <pre>{@code
 * ClassPathClaim claim = ClassPathClaim.of(client, "default", "edl-classes");
 * ClaimedProgram program = claim.upload(ProgramClassPath.of(Mnist.class), "eclipse-temurin:17-jre");
 * Job job = program.on(ProgramJobs.image("eclipse-temurin:17-jre")).name("mnist").ps(2).workers(4).build();
 * }</pre>
 *
 * <p>The claim has each jar once, by its SHA-256, and a folder of classes as a jar. A jar that the claim has does not
 * travel again. {@link #prune} removes the jars that no job names. Thread-safe.
 */
public final class ClassPathClaim {
    /** Longest silence of a receiver, which gives signs while it reads files. Another connection continues a transfer. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final int SUFFIX_BYTES = 4;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final PodOptions options;

    private ClassPathClaim(KubernetesClient client, String namespace, String name, PodOptions options) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.options = Objects.requireNonNull(options, "options");
    }

    /**
     * Returns a claim, which must exist when a program is uploaded.
     *
     * @param client Kubernetes client of the cluster; the caller closes it
     * @param namespace namespace of the claim and of the jobs
     * @param name name of the claim. Pods of several nodes need one with access mode {@code ReadWriteMany}
     * @throws IllegalArgumentException if a name is none of Kubernetes
     */
    public static ClassPathClaim of(KubernetesClient client, String namespace, String name) {
        return new ClassPathClaim(
                Objects.requireNonNull(client, "client"),
                name("namespace", namespace, "default"),
                name("claim", name, "edl-classes"),
                PodOptions.none());
    }

    /**
     * Returns the claim with options of its temporary pods, usually those of the job's pods. The pods take pull secrets,
     * node selector, tolerations, user, labels and annotations of a master, but no volume, variable, sidecar and device.
     */
    public ClassPathClaim podOptions(PodOptions options) {
        return new ClassPathClaim(client, namespace, name, options);
    }

    /** Returns a name that Kubernetes accepts. */
    static String name(String field, String name, String example) {
        if (!KubernetesSyntax.isSubdomain(Objects.requireNonNull(name, field))) {
            throw new IllegalArgumentException(
                    field + " must have only lower-case letters, digits, dashes and dots, was \"" + name
                            + "\"; for example " + example);
        }
        return name;
    }

    private static void checkImage(String image) {
        if (!KubernetesSyntax.isImage(image)) {
            throw new IllegalArgumentException(
                    "image must be the name of an image: perhaps a registry, a repository, and"
                            + " perhaps a tag and a digest, was \"" + image + "\"; for example eclipse-temurin:17-jre");
        }
    }

    private static void checkLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(
                    "limit must be more than zero, was " + limit + "; for example Duration.ofMinutes(15)");
        }
        if (limit.toSeconds() > UploadPod.MOST_SECONDS) {
            throw new IllegalArgumentException("limit must be at most " + UploadPod.MOST_SECONDS + " s, was " + limit
                    + "; for example Duration.ofMinutes(15)");
        }
    }

    /**
     * Uploads a program's class path within 15 minutes.
     *
     * @throws IOException as for the other method
     */
    public ClaimedProgram upload(ProgramClassPath program, String image) throws IOException, InterruptedException {
        return upload(program, image, LIMIT, progress -> {});
    }

    /**
     * Uploads the jars of a program's class path that the claim does not have.
     *
     * <p>A temporary pod mounts the claim as user and group 1000, or as {@link #podOptions} set. A broken connection is replaced, and the upload
     * continues where it broke; the next upload continues a failed upload. The receiver compares each jar with its
     * SHA-256, also the jars of earlier uploads, and replaces a damaged one. The pod and its ConfigMap are deleted at the
     * end.
     *
     * @param image image of the temporary pod, with {@code java} of version 17 or later on its {@code PATH}
     * @param limit longest duration, including the start of the pod
     * @param progress receives the state of the upload after each 64 KiB and each jar
     * @throws IllegalArgumentException if the limit is not positive, the image no name of one, or a JVM option names files of this machine
     * @throws IOException if the claim does not exist, the pod does not run, or a jar cannot be read or written; or,
     *     before a jar travels, if the image's Java is older than a class, or a native library is for another machine
     * @throws KubernetesClientException if the API server refuses a request; for a missing permission, the message has
     *     the command that grants it
     */
    public ClaimedProgram upload(
            ProgramClassPath program, String image, Duration limit, Consumer<UploadProgress> progress)
            throws IOException, InterruptedException {
        checkLimit(limit);
        checkImage(image);
        JavaCommand.check(program.options());
        String task = task("the class path was not uploaded: ");
        String modes = modes(task);
        List<ProgramJars.Jar> jars = new ArrayList<>(List.of(programs()));
        jars.addAll(ProgramJars.of(program.entries(), cache()));
        Map<String, ProgramJars.Jar> distinct = new LinkedHashMap<>();
        jars.forEach(jar -> distinct.putIfAbsent(jar.digest(), jar));
        byte[] key = key();
        JarSender sender = new JarSender(List.copyOf(distinct.values()), key, progress);
        converse(
                image,
                modes,
                limit,
                SILENCE,
                task,
                key,
                sender::state,
                channel -> refusable(task, () -> sender.with(channel)));
        return new ClaimedProgram(
                namespace,
                name,
                program.mainClass(),
                program.options(),
                jars.stream().map(ProgramJars.Jar::digest).toList(),
                sender.sentJars(),
                sender.sentBytes());
    }

    /**
     * Returns the number of jars on the claim, and the number that {@link #prune} would remove.
     *
     * @param image image of a temporary pod, as for {@link #upload(ProgramClassPath, String)}
     * @param age shortest age of an unused jar, such as {@code Duration.ofDays(1)}
     * @throws IOException as {@code prune}
     */
    public ClaimStatus status(String image, Duration age) throws IOException, InterruptedException {
        return unused(image, age, ClassPathReceiver.LIST, "jars were not listed: ");
    }

    /**
     * Removes the jars that no job uses, within 15 minutes. A job uses the jars that its record or one of its pods
     * names. A job that another operator runs has no record, so its pods alone count. A program that submits a job later
     * than the age after its upload must upload again before it submits, which sends nothing if no jar was removed.
     *
     * @param image image of a temporary pod, as for {@link #upload(ProgramClassPath, String)}
     * @param age shortest age of an unused jar, which begins with its last upload: it protects a program that is
     *     uploaded while its job is not submitted yet. For example {@code Duration.ofDays(1)}
     * @return the jars before the removal; the unused ones are removed
     * @throws IllegalArgumentException if the age is negative, or the image no name of one
     * @throws IOException if the claim does not exist, the pod does not run, or files cannot be removed
     * @throws KubernetesClientException if the API server refuses a request; for a missing permission, the message has
     *     the command that grants it
     */
    public ClaimStatus prune(String image, Duration age) throws IOException, InterruptedException {
        return unused(image, age, ClassPathReceiver.PRUNE, "jars were not removed: ");
    }

    private ClaimStatus unused(String image, Duration age, int request, String failure)
            throws IOException, InterruptedException {
        if (age.isNegative()) {
            throw new IllegalArgumentException(
                    "age must not be negative, was " + age + "; for example Duration.ofDays(1)");
        }
        checkImage(image);
        String task = task(failure);
        String modes = modes(task);
        byte[] key = key();
        UnusedJarsRequest unused = new UnusedJarsRequest(key, request, age, UsedJars.in(client, namespace));
        converse(
                image,
                modes,
                LIMIT,
                LIMIT,
                task,
                key,
                () -> "",
                channel -> refusable(task, () -> unused.with(channel)));
        return unused.status();
    }

    private String task(String failure) {
        return "claim \"" + name + "\" in namespace \"" + namespace + "\": " + failure;
    }

    private static Path cache() {
        return ProgramJars.cacheFolder().resolve("programs");
    }

    /** Returns the jar of the programs of EDL that pods run. */
    private static ProgramJars.Jar programs() throws IOException {
        return ProgramJars.of(cache(), ClassPathReceiver.PROGRAM.toArray(new Class<?>[0]));
    }

    private static byte[] key() {
        byte[] key = new byte[ClassPathReceiver.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /**
     * Runs the receiver in a temporary pod that mounts the claim.
     *
     * @param modes advice that the claim's access modes need
     * @param silence longest silence of the receiver
     * @param state returns the state of the conversation; empty before the receiver has answered
     */
    private void converse(
            String image,
            String modes,
            Duration limit,
            Duration silence,
            String task,
            byte[] key,
            Supplier<String> state,
            TemporaryPod.Conversation conversation)
            throws IOException, InterruptedException {
        String advice = "; image " + image + " must have java of version 17 or later on its PATH" + modes;
        Pod pod = UploadPod.pod(
                namespace,
                "edl-upload-" + HexFormat.of().formatHex(key(), 0, SUFFIX_BYTES),
                name,
                image,
                options,
                HexFormat.of().formatHex(FileDigest.sha256().digest(key)),
                limit.toSeconds());
        byte[] receiver = Files.readAllBytes(programs().file());
        new TemporaryPod(client, pod, limit, task, () -> state.get().isEmpty() ? advice : state.get())
                .silence(silence)
                .run(
                        UploadPod.PORT,
                        created -> client.resource(UploadPod.receiver(created, receiver))
                                .create(),
                        conversation);
    }

    /** Part of a conversation, which may be refused. */
    private interface Exchange {
        Optional<IOException> run() throws TransferRejectedException;
    }

    private static Optional<IOException> refusable(String task, Exchange exchange) throws IOException {
        try {
            return exchange.run();
        } catch (TransferRejectedException e) {
            throw new IOException(task + e.getMessage(), e);
        }
    }

    /** Exchange with a receiver, which begins with the key. */
    interface KeyedExchange {
        /** Returns empty at the end, or why the connection broke. */
        Optional<IOException> with(ByteChannel channel, byte[] key) throws TransferRejectedException;
    }

    /** Has an exchange with a receiver; the other parameters are those of {@code converse}. */
    void exchange(String image, Duration limit, String failure, Supplier<String> state, KeyedExchange exchange)
            throws IOException, InterruptedException {
        checkLimit(limit);
        checkImage(image);
        String task = task(failure);
        byte[] key = key();
        String modes = modes(task);
        converse(
                image,
                modes,
                limit,
                SILENCE,
                task,
                key,
                state,
                channel -> refusable(task, () -> exchange.with(channel, key)));
    }

    /** Checks that the claim exists, and returns the advice that its access modes need. */
    private String modes(String task) throws IOException {
        PersistentVolumeClaim claim;
        try {
            claim = MissingPermission.callWithGrantCommand(() -> client.persistentVolumeClaims()
                    .inNamespace(namespace)
                    .withName(name)
                    .get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                // Then the pod's state names a claim that does not exist.
                return "";
            }
            throw e;
        }
        if (claim == null) {
            throw new IOException(task + "it does not exist; create a PersistentVolumeClaim with accessModes:"
                    + " [ReadWriteMany], or name one of: kubectl get pvc --namespace " + namespace);
        }
        List<String> modes = claim.getSpec().getAccessModes();
        return modes.contains("ReadWriteMany")
                ? ""
                : "; the claim's access modes are " + modes + ", so pods of other nodes cannot mount it";
    }
}
