package dev.edl.conformance.jobs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.edl.Job;
import dev.edl.RoleBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.CleanupPolicy;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/**
 * Checks jobs in a namespace where a mutating webhook adds a proxy before the pod's own container, as a service mesh
 * does.
 */
@OnCluster("--nodes 3")
class Mesh {
    private static final String NAMESPACE = "edl-mesh";
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** It runs until SIGTERM, as a mesh's proxy does. */
    private static final String PROXY = """
            [{"op": "add", "path": "/spec/containers/0", "value": {
                "name": "istio-proxy", "image": "edl.local/busybox:1",
                "command": ["sh", "-c", "trap 'exit 0' TERM; while true; do sleep 0.1; done"],
                "env": [{"name": "WHO", "value": "proxy"}],
                "securityContext": {"runAsUser": 1000, "runAsNonRoot": true}}}]""";

    private final KubernetesClient client;

    private Mesh(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void a_proxy_in_every_pod_changes_nothing() throws Exception {
        Path keys = Files.createTempDirectory("edl-mesh");
        HttpsServer webhook = server(keys.resolve("webhook.p12"));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            install(client, webhook, certificate(keys.resolve("webhook.p12")));
            try (KubernetesExecutor executor = KubernetesExecutor.using(
                    client, PodOptions.builder().runAsUser(1000).build())) {
                Mesh mesh = new Mesh(client);
                mesh.injected();
                mesh.succeeds(executor);
                mesh.exec(executor);
                mesh.exitCode(executor);
                mesh.outOfMemory(executor);
            }
            client.admissionRegistration()
                    .v1()
                    .mutatingWebhookConfigurations()
                    .withName(NAMESPACE)
                    .delete();
            client.namespaces().withName(NAMESPACE).delete();
        } finally {
            // Its thread would keep this program alive.
            webhook.stop(0);
        }
    }

    private static HttpsServer server(Path keys) throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "webhook",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=edl-mesh",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-validity",
                        "1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        keys.toString())
                .inheritIO()
                .start();
        Checks.check(keytool.waitFor() == 0, "keytool makes a key for the webhook");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store(keys), PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", Mesh::inject);
        server.start();
        return server;
    }

    private static KeyStore store(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static String certificate(Path keys) throws IOException, GeneralSecurityException {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(store(keys).getCertificate("webhook").getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    private static void inject(HttpExchange exchange) throws IOException {
        try (exchange) {
            AdmissionReview asked = Serialization.unmarshal(exchange.getRequestBody(), AdmissionReview.class);
            byte[] answer = Serialization.asJson(new AdmissionReviewBuilder()
                            .withNewResponse()
                            .withUid(asked.getRequest().getUid())
                            .withAllowed(true)
                            .withPatchType("JSONPatch")
                            .withPatch(Base64.getEncoder().encodeToString(PROXY.getBytes(StandardCharsets.UTF_8)))
                            .endResponse()
                            .build())
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private static void install(KubernetesClient client, HttpsServer webhook, String certificate) {
        client.resource(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .addNewWebhook()
                        .withName("sidecar.edl.local")
                        .withAdmissionReviewVersions("v1")
                        .withSideEffects("None")
                        .withFailurePolicy("Fail")
                        .withNewClientConfig()
                        .withUrl("https://127.0.0.1:" + webhook.getAddress().getPort() + "/inject")
                        .withCaBundle(Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.UTF_8)))
                        .endClientConfig()
                        .withNewNamespaceSelector()
                        .addToMatchLabels("kubernetes.io/metadata.name", NAMESPACE)
                        .endNamespaceSelector()
                        .addNewRule()
                        .withApiGroups("")
                        .withApiVersions("v1")
                        .withOperations("CREATE")
                        .withResources("pods")
                        .endRule()
                        .endWebhook()
                        .build())
                .create();
    }

    private List<Pod> pods(String job) {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("elasticdl-" + job + "-")
                        || pod.getMetadata().getName().startsWith(job + "-"))
                .toList();
    }

    private static Job job(String name, int workers, Consumer<RoleBuilder> worker) {
        return Job.named(name)
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .pytorch()
                .env("WHO", "main")
                .request("cpu=100m,memory=16Mi")
                .cleanup(CleanupPolicy.NONE)
                .workers(workers, worker)
                .build();
    }

    /** A new webhook takes effect with a short delay. */
    private void injected() throws Exception {
        Checks.until(
                "pods get a proxy", () -> client.pods().inNamespace(NAMESPACE).list(), () -> {
                    Pod dry = client.pods()
                            .inNamespace(NAMESPACE)
                            .resource(new PodBuilder()
                                    .withNewMetadata()
                                    .withName("dry")
                                    .endMetadata()
                                    .withNewSpec()
                                    .addNewContainer()
                                    .withName("a")
                                    .withImage("edl.local/busybox:1")
                                    .endContainer()
                                    .endSpec()
                                    .build())
                            .dryRun(true)
                            .create();
                    return dry.getSpec().getContainers().get(0).getName().equals("istio-proxy");
                });
    }

    private void succeeds(KubernetesExecutor executor) throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        KubernetesRun run = executor.submit(
                job("done", 2, w -> w.command("sh", "-c", "sleep 2; seq 1 2000; echo \"trained by $WHO\"")));
        try (LogFollower log = run.logs("worker-0", line -> lines.add(line.text()))) {
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(
                    end.phase() == JobPhase.SUCCEEDED, "a job whose workers ended with 0 must succeed, but " + end);
            Checks.check(
                    log.awaitEnd(Checks.LIMIT), "the log ends with the replica, but it has " + lines.size() + " lines");
        }
        Checks.check(
                lines.contains("1") && lines.contains("2000") && lines.contains("trained by main"),
                "the log is read to its end before the pod goes, but it has " + lines);
        gone("done", run);
        Checks.until("nothing is left to do", run::status, run::finished);
        shown(
                "a job whose workers end with 0 succeeds while their proxies run; the log was read, and the pods are gone");
    }

    private void exec(KubernetesExecutor executor) throws Exception {
        KubernetesRun run = executor.submit(job("exec", 1, w -> w.command("sleep", "1000")));
        Checks.until(
                "worker-0 runs",
                run::status,
                () -> run.status().replicas().stream().anyMatch(r -> r.status().equals("Running")));
        PodResult result = run.exec("worker-0", Duration.ofSeconds(30), "sh", "-c", "echo $WHO");
        Checks.check(result.out().strip().equals("main"), "a command runs in the replica, but it said: " + result);
        String name = pods("exec").get(0).getSpec().getContainers().get(0).getName();
        Checks.check(name.equals("istio-proxy"), "the proxy is the pod's first container, but that is " + name);
        run.cancel();
        gone("exec", run);
        shown("a command runs in the replica's container, though the proxy is the first");
    }

    private void exitCode(KubernetesExecutor executor) throws Exception {
        KubernetesRun run = executor.submit(
                job("code", 1, w -> w.relaunchLimit(0).command("sh", "-c", "echo 'no file /data/x'; exit 3")));
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(
                end.phase() == JobPhase.FAILED && end.message().contains("exit code 3 (Error): no file /data/x"),
                "the exit code is the replica's, but " + end);
        gone("code", run);
        shown("a replica that failed says its own exit code and last words: " + end.message());
    }

    private void outOfMemory(KubernetesExecutor executor) throws Exception {
        // containerd may see the end of a container before the OOM event, and then reports Error.
        JobStatus end = memory(executor, 0);
        for (int tries = 1; !end.message().contains("(OOMKilled)") && tries < 4; tries++) {
            end = memory(executor, tries);
        }
        Checks.check(
                end.message()
                        .endsWith("exit code 137 (OOMKilled): it ran out of memory at its limit of 16Mi;"
                                + " raise the role's memory"),
                "want of memory is the replica's, but " + end.message());
        shown("want of memory: " + end.message());
    }

    private JobStatus memory(KubernetesExecutor executor, int number) throws InterruptedException {
        KubernetesRun run = executor.submit(job(
                "memory-" + number,
                1,
                w -> w.limit("memory=16Mi")
                        .relaunchLimit(0)
                        .command("sh", "-c", "x=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#x}; sleep 1000")));
        JobStatus end = run.await(Checks.LIMIT);
        gone("memory-" + number, run);
        return end;
    }

    private void gone(String job, KubernetesRun run) throws InterruptedException {
        Checks.until(
                "no pod of " + job + " is left",
                () -> run.status() + "\n" + run.events() + "\n" + pods(job),
                () -> pods(job).isEmpty());
    }

    private static void shown(String what) {
        System.out.println("kubernetes: " + what);
    }
}
