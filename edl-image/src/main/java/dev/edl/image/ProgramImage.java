package dev.edl.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InsecureRegistryException;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import dev.edl.program.ProgramClassPath;
import dev.edl.program.ProgramJars;
import dev.edl.spec.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A container image of a Java program, made from its class path without Docker and without root.
 *
 * <pre>{@code
 * PushedImage image = ProgramImage.of(Mnist.class).push("registry.example/acme/mnist");
 * Job job = ProgramJobs.image(image.reference()).name("mnist").ps(2).workers(4).build();
 * }</pre>
 *
 * <p>The image has, from the bottom:
 *
 * <ol>
 * <li>a Java runtime: {@link Builder#base(String) an image} of a registry, or else a runtime by {@code jlink} of this
 *     JDK, with the C libraries of this machine. The latter needs Linux.
 * <li>a layer of the jars with released versions, a layer of the snapshots, and a layer of the folders of classes, each
 *     folder as a jar. All lie in {@link Builder#folder(String) one folder}.
 * </ol>
 *
 * <p>Its user is 1000:1000, whose home is {@code /tmp}. Its entry point is {@code java}, with the class path in its order
 * and the main class; a job's arguments follow. The same files give the same image, byte for byte. A layer that the
 * registry has does not travel.
 *
 * <p>Objects are immutable.
 */
public final class ProgramImage {
    private static final String USER = "1000:1000";
    /** This JVM's architecture, as images name it. */
    private static final String ARCHITECTURE = JarRequirements.architecture(System.getProperty("os.arch"));

    private final List<Path> classPath;
    private final List<String> jvmOptions;
    private final String mainClass;
    private final @Nullable ImageReference base;
    private final Platform platform;
    private final @Nullable String user;
    private final @Nullable String password;
    private final boolean insecure;
    private final String folder;
    private final Path cache;

    private ProgramImage(Builder builder) {
        classPath = builder.classPath;
        jvmOptions = builder.jvmOptions;
        mainClass = builder.mainClass;
        base = builder.base;
        platform = builder.platform;
        user = builder.user;
        password = builder.password;
        insecure = builder.insecure;
        folder = builder.folder;
        cache = builder.cache;
    }

    /**
     * Returns the image of a program with this JVM's class path and a runtime of this JDK.
     *
     * @param program class with {@code main}
     * @throws IllegalArgumentException if the class has no {@code main}, or is not on the class path
     */
    public static ProgramImage of(Class<?> program) {
        return builder(program).build();
    }

    /**
     * Returns a builder of the image of a program with this JVM's class path.
     *
     * @throws IllegalArgumentException if the class has no {@code main}, or is not on the class path
     */
    public static Builder builder(Class<?> program) {
        ProgramClassPath path = ProgramClassPath.of(program);
        return new Builder(path.entries(), path.options(), path.mainClass());
    }

    /**
     * Returns a builder of the image of a program that need not be on this JVM's class path.
     *
     * @param classPath jars and folders of classes, in the order of the class path
     * @param mainClass binary name of the main class
     */
    public static Builder builder(List<Path> classPath, String mainClass) {
        return new Builder(classPath, List.of(), mainClass);
    }

    /**
     * Returns a name that {@link #push} and {@link #writeArchive} accept, so that a wrong one fails before a build.
     *
     * @throws IllegalArgumentException if the name is not one of an image, or has a digest
     */
    public static String requireName(String name) {
        reference(name);
        return name;
    }

    /**
     * Pushes the image, and returns its name with the digest. Without credentials of the builder, it takes those of
     * {@code docker login} or of a credential helper.
     *
     * @param name registry, repository and perhaps a tag, such as {@code registry.example/acme/mnist:1}. Without a tag,
     *     the tag is {@code classpath-} and 12 digits of a digest of the content, so that no later push moves it
     * @throws IllegalArgumentException if the name is not one of an image, or has a digest; if a class needs a newer
     *     Java than the linked runtime's or the base's, by a name such as {@code eclipse-temurin:17-jre};
     *     if a native library is for another machine; or if a JVM option names files of this machine
     * @throws IOException if the registry refuses it or cannot be reached, or if the runtime cannot be linked. A request
     *     waits at most 20 seconds, or the milliseconds of the system property {@code jib.httpTimeout}; it is retried
     *     for about a minute
     */
    public PushedImage push(String name) throws IOException, InterruptedException {
        return push(name, jars(java()), false);
    }

    /**
     * Pushes an image of the jars alone, without a Java runtime. Jobs mount it as a volume beside an image with a Java
     * runtime, by {@link PushedJars#on}.
     *
     * @param name as of {@link #push}
     * @throws IllegalArgumentException as {@code push}
     * @throws IOException as {@code push}
     */
    public PushedJars pushJars(String name) throws IOException, InterruptedException {
        List<ProgramJars.Jar> jars = jars(Optional.empty());
        return new PushedJars(
                push(name, jars, true),
                folder.substring(0, folder.length() - 1),
                mainClass,
                jvmOptions,
                jars.stream().map(ProgramJars.Jar::name).toList());
    }

    private PushedImage push(String name, List<ProgramJars.Jar> jars, boolean alone)
            throws IOException, InterruptedException {
        ImageReference named = reference(name);
        Optional<Path> runtime = alone ? Optional.empty() : runtime();
        String tag = isDefault(name, named) ? tag(jars, runtime, alone) : named.getQualifier();
        ImageReference target = named.withQualifier(tag);
        UploadedBlobCounter sent = new UploadedBlobCounter();
        RegistryImage registry = credentials(RegistryImage.named(target), target, true);
        String digest = build(jars, runtime, sent.count(Containerizer.to(registry)), target, alone)
                .getDigest()
                .toString();
        String reference = named.getRegistry() + "/" + named.getRepository() + "@" + digest;
        return new PushedImage(reference, tag, digest, sent.bytes());
    }

    /**
     * Writes the image as an archive that {@code docker load}, {@code ctr image import} and {@code kind load} read, and
     * returns its digest.
     *
     * @param archive file to be written; an existing one is replaced
     * @param name name of the image in the archive, with a tag, such as {@code registry.example/acme/mnist:1}
     * @throws IllegalArgumentException as {@code push}
     * @throws IOException if the file cannot be written, or the runtime cannot be linked
     */
    public String writeArchive(Path archive, String name) throws IOException, InterruptedException {
        ImageReference named = reference(name);
        TarImage tar = TarImage.at(archive.toAbsolutePath()).named(named);
        return build(jars(java()), runtime(), Containerizer.to(tar), named, false)
                .getDigest()
                .toString();
    }

    private static ImageReference reference(String name) {
        try {
            ImageReference reference = ImageReference.parse(name);
            if (reference.getDigest().isPresent()) {
                throw new IllegalArgumentException("the image to be built must have no digest, was \"" + name
                        + "\"; for example registry.example/acme/mnist:1");
            }
            return reference;
        } catch (InvalidImageReferenceException e) {
            throw new IllegalArgumentException(
                    "the image's name must be a registry, a repository and perhaps a tag," + " was \"" + name
                            + "\"; for example registry.example/acme/mnist:1",
                    e);
        }
    }

    /** Whether the tag "latest" is Jib's own, and not the caller's. */
    private static boolean isDefault(String name, ImageReference parsed) {
        return parsed.usesDefaultTag() && !name.endsWith(":latest");
    }

    /**
     * Returns the jars, after a check that pods can use them.
     *
     * @param java Java version of the pods; empty if unknown
     */
    private List<ProgramJars.Jar> jars(Optional<Integer> java) throws IOException {
        JavaCommand.check(jvmOptions);
        List<ProgramJars.Jar> jars = ProgramJars.of(classPath, cache.resolve("classes"));
        JarRequirements.of(jars)
                .unmet("pods of this image", java, platform.getArchitecture())
                .ifPresent(why -> {
                    throw new IllegalArgumentException("program " + mainClass + ": " + why);
                });
        return jars;
    }

    /** Returns the Java version of the linked runtime, or the base's, if its name states it. */
    private Optional<Integer> java() {
        return base == null ? Optional.of(Runtime.version().feature()) : JarRequirements.javaOf(base.toString());
    }

    /** The linked runtime, if no base has one. */
    private Optional<Path> runtime() throws IOException, InterruptedException {
        return base == null ? Optional.of(JlinkRuntime.in(cache)) : Optional.empty();
    }

    private JibContainer build(
            List<ProgramJars.Jar> jars, Optional<Path> runtime, Containerizer to, ImageReference target, boolean alone)
            throws IOException, InterruptedException {
        to.setBaseImageLayersCache(cache.resolve("base"))
                .setApplicationLayersCache(cache.resolve("layers"))
                .setAllowInsecureRegistries(insecure)
                .setToolName("edl");
        JibContainerBuilder image = base == null || alone
                ? Jib.fromScratch()
                : Jib.from(credentials(RegistryImage.named(base), base, false));
        image.setPlatforms(Set.of(platform));
        if (!alone) {
            image.setUser(USER).setEntrypoint(entrypoint(jars));
            image.setWorkingDirectory(AbsoluteUnixPath.get(JavaCommand.HOME))
                    .addEnvironmentVariable("HOME", JavaCommand.HOME);
        }
        if (runtime.isPresent()) {
            // A job's command may name java, as for other images.
            image.addFileEntriesLayer(layer(runtime.get()))
                    .addEnvironmentVariable("PATH", JlinkRuntime.PATH)
                    .addEnvironmentVariable("LC_ALL", "C.UTF-8");
        }
        for (ProgramJars.Frequency changes : ProgramJars.Frequency.values()) {
            FileEntriesLayer.Builder layer =
                    FileEntriesLayer.builder().setName(changes.name().toLowerCase(Locale.ROOT));
            jars.stream()
                    .filter(jar -> jar.changes() == changes)
                    .forEach(jar ->
                            layer.addEntry(jar.file(), AbsoluteUnixPath.get((alone ? "/" : folder) + jar.name())));
            if (!layer.build().getEntries().isEmpty()) {
                image.addFileEntriesLayer(layer.build());
            }
        }
        try {
            return image.containerize(to);
        } catch (RegistryException | ExecutionException | CacheDirectoryCreationException e) {
            throw failure(target, e);
        }
    }

    private static FileEntriesLayer layer(Path runtime) throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("runtime");
        try (Stream<Path> folders = Files.list(runtime)) {
            for (Path folder : folders.sorted().toList()) {
                layer.addEntryRecursive(
                        folder, AbsoluteUnixPath.get("/" + folder.getFileName()), ProgramImage::permissions);
            }
        }
        return layer.build();
    }

    private static FilePermissions permissions(Path file, AbsoluteUnixPath inImage) {
        if (inImage.toString().equals(JavaCommand.HOME)) {
            return FilePermissions.fromOctalString("777");
        }
        boolean executable = Files.isDirectory(file) || Files.isExecutable(file);
        return executable ? FilePermissions.DEFAULT_FOLDER_PERMISSIONS : FilePermissions.DEFAULT_FILE_PERMISSIONS;
    }

    private List<String> entrypoint(List<ProgramJars.Jar> jars) {
        List<String> files = jars.stream().map(jar -> folder + jar.name()).toList();
        return JavaCommand.of(base == null ? JlinkRuntime.JAVA : "java", jvmOptions, files, mainClass);
    }

    private String tag(List<ProgramJars.Jar> jars, Optional<Path> runtime, boolean alone) {
        Object below = alone ? "jars" : runtime.<Object>map(Path::getFileName).orElse(base);
        String digests = jars.stream().map(ProgramJars.Jar::digest).collect(Collectors.joining(" "));
        String content = below + " " + platform.getArchitecture() + " " + entrypoint(jars) + " " + digests;
        return "classpath-" + HexFormat.of().formatHex(Digest.sha256(content), 0, 6);
    }

    private RegistryImage credentials(RegistryImage image, ImageReference reference, boolean target) {
        if (target && user != null && password != null) {
            return image.addCredential(user, password);
        }
        CredentialRetrieverFactory saved = CredentialRetrieverFactory.forImage(reference, event -> {});
        return image.addCredentialRetriever(saved.dockerConfig())
                .addCredentialRetriever(saved.wellKnownCredentialHelpers());
    }

    private IOException failure(ImageReference target, Exception e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        String advice = "";
        if (cause instanceof RegistryUnauthorizedException refused) {
            // It may be the base's registry.
            String registry = refused.getImageReference().replaceFirst("/.*", "");
            advice = "; docker login " + registry
                    + ", or for the registry that is pushed to .credentials(user, password)";
        } else if (cause instanceof InsecureRegistryException) {
            advice = "; a registry without TLS that this machine trusts needs .allowInsecureRegistry()";
        }
        return new IOException("image " + target + " was not built: " + cause.getMessage() + advice, cause);
    }

    /** Builder of {@link ProgramImage}. */
    public static final class Builder {
        private final List<Path> classPath;
        private final List<String> jvmOptions;
        private final String mainClass;
        private @Nullable ImageReference base;
        private Platform platform = new Platform(ARCHITECTURE, "linux");
        private @Nullable String user;
        private @Nullable String password;
        private boolean insecure;
        private String folder = "/app/";
        private Path cache = ProgramJars.cacheFolder().resolve("images");

        Builder(List<Path> classPath, List<String> jvmOptions, String mainClass) {
            this.classPath = List.copyOf(classPath);
            this.jvmOptions = List.copyOf(jvmOptions);
            this.mainClass = mainClass;
        }

        /**
         * Sets an image with a Java runtime, whose {@code PATH} has {@code java}; the default is a runtime that jlink
         * makes of this JDK. It is fetched once; a name with a digest always means the same bytes.
         *
         * @throws IllegalArgumentException if it is not the name of an image
         */
        public Builder base(String name) {
            try {
                base = ImageReference.parse(name);
            } catch (InvalidImageReferenceException e) {
                throw new IllegalArgumentException(
                        "the base must be the name of an image, was \"" + name
                                + "\"; for example eclipse-temurin:17-jre",
                        e);
            }
            return this;
        }

        /**
         * Sets the architecture of the cluster's nodes, as Kubernetes writes it: {@code amd64} or {@code arm64}. The
         * default is this machine's. Another one than this machine's needs a {@link #base base} that has it, and native
         * libraries for it on the class path.
         */
        public Builder architecture(String name) {
            platform = new Platform(name, "linux");
            return this;
        }

        /** Sets user and password for the registry that the image is pushed to. */
        public Builder credentials(String user, String password) {
            this.user = Objects.requireNonNull(user, "user");
            this.password = Objects.requireNonNull(password, "password");
            return this;
        }

        /**
         * Allows registries without TLS, or with a certificate that this JVM does not trust. A program between may
         * then change the image. The better way is the registry's certificate in this JVM's trust store.
         */
        public Builder allowInsecureRegistry() {
            insecure = true;
            return this;
        }

        /**
         * Sets the folder of the jars in the image; the default is {@code /app}, as {@code DriverPod} of module edl-k8s
         * expects it. The controller's pods expect {@code /edl}.
         *
         * @throws IllegalArgumentException if the path is not absolute, or has a colon, which separates a class path
         */
        public Builder folder(String path) {
            if (!path.matches("(/[^/:]+)+/?")) {
                throw new IllegalArgumentException(
                        "the folder in the image must be an absolute path without a colon, was \"" + path
                                + "\"; for example /app");
            }
            folder = path.endsWith("/") ? path : path + "/";
            return this;
        }

        /** Sets the folder that keeps layers and runtimes; the default is {@code edl/images} in the user's cache folder. */
        public Builder cache(Path folder) {
            cache = folder.toAbsolutePath();
            return this;
        }

        /** Returns the image. */
        public ProgramImage build() {
            if (base == null && !platform.getArchitecture().equals(ARCHITECTURE)) {
                throw new IllegalArgumentException("architecture \"" + platform.getArchitecture()
                        + "\" needs a base that has it, since this JDK is of " + ARCHITECTURE
                        + "; for example .base(\"eclipse-temurin:17-jre\")");
            }
            return new ProgramImage(this);
        }
    }
}
