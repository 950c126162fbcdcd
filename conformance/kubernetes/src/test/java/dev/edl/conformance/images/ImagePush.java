package dev.edl.conformance.images;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.image.ProgramImage;
import dev.edl.image.PushedImage;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Checks that a class becomes a pod by a registry. The image is pushed to a registry without TLS, and to one with TLS and
 * a password; the nodes fetch it from the former.
 */
@OnCluster("--nodes 3")
class ImagePush {
    private static final String NAMESPACE = "edl-images";
    /** What {@code htpasswd -B} prints for the password {@value #PASSWORD}. */
    private static final String USER_AND_PASSWORD = "acme:$2b$05$VOaqafTvuWiPbU6l0umLY.T48.kP/dqD91pzYr5TA3aGz7Q2sPnLa";

    private static final String PASSWORD = "open sesame";

    @Test
    void a_class_runs_in_pods_from_a_registry() throws Exception {
        Path folder = Files.createTempDirectory("edl-registry-");
        Path plain = Files.createDirectory(folder.resolve("plain"));
        try (Registry registry = new Registry(plain, "");
                KubernetesClient client = new KubernetesClientBuilder().build()) {
            String name = registry.host() + "/acme/echo";
            ProgramImage image =
                    ProgramImage.builder(Echo.class).allowInsecureRegistry().build();
            PushedImage first = image.push(name);
            PushedImage again = image.push(name);
            Checks.check(
                    first.sentBytes() > 10_000_000, "a runtime and the jars must travel, but " + first.sentBytes());
            Checks.check(again.sentBytes() == 0, "nothing must travel again, but " + again.sentBytes());
            Checks.check(
                    again.equals(new PushedImage(first.reference(), first.tag(), first.digest(), 0)),
                    "the same image, was " + again);
            ProgramImage fresh = ProgramImage.builder(Echo.class)
                    .allowInsecureRegistry()
                    .cache(folder.resolve("cache"))
                    .build();
            Checks.check(
                    fresh.push(name).digest().equals(first.digest()),
                    "a runtime that is linked anew must have the same bytes");
            System.out.println(
                    "kubernetes: an image of " + first.sentBytes() + " bytes was pushed, and nothing of it twice");

            Checks.namespace(client, NAMESPACE, true);
            runs(client, first);
            client.namespaces().withName(NAMESPACE).delete();
        }
        Path secret = Files.createDirectory(folder.resolve("secret"));
        password(secret);
        System.out.println(
                "kubernetes: a registry with TLS and a password is pushed to with its certificate and password alone");
    }

    private static void runs(KubernetesClient client, PushedImage image) throws Exception {
        Job job = Job.named("echo")
                .namespace(NAMESPACE)
                .image(image.reference())
                .args("hello")
                .request("cpu=100m,memory=128Mi")
                .master()
                .workers(2)
                .build();
        PodOptions options = PodOptions.builder().runAsUser(1000).build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                KubernetesRun run = executor.submit(job)) {
            run.awaitSuccess(Duration.ofSeconds(90));
            String pods = Kubectl.run("get", "pods", "--namespace", NAMESPACE, "-o", "name");
            Checks.check(!pods.isBlank(), "a pod must be left");
            for (String pod : pods.lines().toList()) {
                String said = Kubectl.run("logs", "--namespace", NAMESPACE, pod);
                Checks.check(
                        said.equals("echo hello of app in /tmp on Java "
                                + Runtime.version().feature() + "\n"),
                        "the program's line, was " + said);
            }
        }
        System.out.println("kubernetes: pods of Pod Security restricted run the class from the registry");
    }

    /** Pushes by JVMs of their own, since a JVM reads its trusted certificates once. */
    private static void password(Path folder) throws Exception {
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        Path store = folder.resolve("trust.p12");
        Path users = folder.resolve("htpasswd");
        Checks.command(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString(),
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost");
        Checks.command(
                "keytool",
                "-importcert",
                // Java reads its certificates without the password.
                "-storetype",
                "JKS",
                "-noprompt",
                "-alias",
                "registry",
                "-file",
                certificate.toString(),
                "-keystore",
                store.toString(),
                "-storepass",
                "secret");
        Files.writeString(users, USER_AND_PASSWORD + "\n");
        String http = "  tls: {certificate: " + certificate + ", key: " + key + "}\n"
                + "auth: {htpasswd: {realm: acme, path: " + users + "}}\n";
        try (Registry registry = new Registry(folder, http)) {
            String name = registry.host() + "/acme/echo:1";
            String trust = "-Djavax.net.ssl.trustStore=" + store;
            pushed(trust, name, PASSWORD, "localhost");
            pushed(trust, name, "guess", "docker login " + registry.host());
            pushed("-Dtrust=none", name, PASSWORD, ".allowInsecureRegistry()");
        }
    }

    private static void pushed(String trust, String name, String password, String printed) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        trust,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Push.class.getName(),
                        name,
                        "acme",
                        password)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean succeeds = process.waitFor() == 0;
        System.out.println("  " + output);
        Checks.check(
                output.contains(printed) && succeeds == printed.equals("localhost"),
                "it must print " + printed + ", was " + output);
    }
}
