package dev.edl.conformance.preflight;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.preflight.Problem;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One problem that prevents a job from running: the preflight reports it in exactly these words, its fix removes it,
 * and then the job runs.
 */
public final class PreflightCase {
    /** Namespaces in which a job has run. */
    private static final Set<String> USED = new HashSet<>();

    private final KubernetesClient admin;
    private final KubernetesClient client;
    private final String namespace;

    /** Creates the namespace. */
    PreflightCase(KubernetesClient admin, String namespace) {
        this(admin, admin, namespace);
        Checks.namespace(admin, namespace, false);
        // The default account is created shortly after its namespace.
        accounted(admin, namespace);
    }

    /** Uses another client for the preflight than for the fixes. */
    PreflightCase(KubernetesClient admin, KubernetesClient client, String namespace) {
        this.admin = admin;
        this.client = client;
        this.namespace = namespace;
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient admin() {
        return admin;
    }

    public static void accounted(KubernetesClient admin, String namespace) {
        Checks.soon(
                "namespace " + namespace + " has its account",
                () -> admin.serviceAccounts().inNamespace(namespace).list().getItems(),
                () -> admin.serviceAccounts()
                                .inNamespace(namespace)
                                .withName("default")
                                .get()
                        != null);
    }

    /** Returns a small job. */
    JobBuilder job() {
        return Job.named("mnist")
                .namespace(namespace)
                .image("edl.local/busybox:1")
                .request("cpu=10m,memory=16Mi")
                .master()
                .workers(2);
    }

    PreflightReport report(JobBuilder job, PodOptions options) {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            return executor.preflight(job.build());
        }
    }

    /** Checks that the preflight reports exactly these problems. */
    PreflightReport finds(JobBuilder job, PodOptions options, String... problems) {
        empty();
        PreflightReport report = report(job, options);
        String seen = report.problems().stream().map(Problem::toString).collect(Collectors.joining("\n"));
        String expected = String.join("\n", List.of(problems)).replace("NS", namespace);
        Checks.check(
                seen.equals(expected),
                "the preflight in " + namespace + " was expected to find\n" + expected + "\nbut found\n" + report);
        Checks.check(
                admin.configMaps()
                                        .inNamespace(namespace)
                                        .withName("edl-job-mnist")
                                        .get()
                                == null
                        || seen.contains("job \"mnist\" exists already"),
                "the preflight in " + namespace + " made something");
        return report;
    }

    /** Runs the commands of a report's fixes. */
    void fix(PreflightReport report) {
        report.problems().forEach(problem -> problem.fix().command().ifPresent(PreflightCase::shell));
    }

    public static void shell(String command) {
        try {
            Process process =
                    new ProcessBuilder("sh", "-c", command).inheritIO().start();
            Checks.check(process.waitFor() == 0, "the fix failed: " + command);
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(command, e);
        }
    }

    /**
     * Waits for a clean report, because quotas and roles take effect with a delay; then submits the job and waits until
     * it runs.
     */
    void runs(JobBuilder job, PodOptions options) throws InterruptedException {
        empty();
        clean(job, options);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            KubernetesRun run = executor.submit(job.build());
            Checks.until(
                    "every replica runs in " + namespace,
                    () -> run,
                    () -> !run.status().replicas().isEmpty()
                            && run.status().replicas().stream()
                                    .allMatch(r -> r.status().equals("Running"))
                            && run.status().replicas().size()
                                    == run.plan().roles().stream()
                                            .mapToInt(role -> role.replicas())
                                            .sum());
            executor.delete(namespace, "mnist");
            USED.add(namespace);
        }
    }

    /** Waits until the pods of a deleted job no longer exist, before the next case of the namespace. */
    private void empty() {
        if (USED.remove(namespace)) {
            Checks.soon(
                    "nothing of the last job is left in " + namespace,
                    () -> admin.pods().inNamespace(namespace).list().getItems(),
                    () -> admin.pods().inNamespace(namespace).list().getItems().isEmpty()
                            && admin.services()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems()
                                    .isEmpty());
        }
    }

    void clean(JobBuilder job, PodOptions options) {
        Checks.soon(
                "the report in " + namespace + " is clean",
                () -> report(job, options),
                () -> report(job, options).problems().isEmpty());
    }

    /** Finds the problem, fixes it by its own command, and runs the job. */
    void cured(JobBuilder job, PodOptions options, String... problems) throws InterruptedException {
        fix(finds(job, options, problems));
        runs(job, options);
    }

    void cured(JobBuilder job, String... problems) throws InterruptedException {
        cured(job, PodOptions.none(), problems);
    }

    /** Returns a client with only the account's permissions. */
    public static KubernetesClient as(KubernetesClient admin, String namespace, String account) {
        return as(admin, namespace, account, new Interceptor() {});
    }

    /** Returns the same client with its own interceptor of requests. */
    public static KubernetesClient as(KubernetesClient admin, String namespace, String account, Interceptor seeing) {
        String token = admin.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(admin.getConfiguration().getMasterUrl())
                .withCaCertData(admin.getConfiguration().getCaCertData())
                .withCaCertFile(admin.getConfiguration().getCaCertFile())
                .withOauthToken(token)
                .withNamespace(namespace)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("seeing", seeing))
                .build();
    }
}
