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

/** One thing that stops a job: told in exactly these words, gone after its fix, and with it the job runs. */
public final class PreflightCase {
    /** Namespaces in which a job has run. */
    private static final Set<String> USED = new HashSet<>();

    private final KubernetesClient admin;
    private final KubernetesClient client;
    private final String namespace;

    /** In a namespace of its own, which is made. */
    PreflightCase(KubernetesClient admin, String namespace) {
        this(admin, admin, namespace);
        Checks.namespace(admin, namespace, false);
        // The account of pods that name none comes a moment after its namespace.
        accounted(admin, namespace);
    }

    /** Seen by another client than the one that does what is said. */
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

    /** A small job. */
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

    /** Nothing is found but these. */
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
                        || seen.contains("edl-job-mnist"),
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

    /** The report is clean, soon since quotas and roles take effect a moment later; then the job is submitted and runs. */
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

    /** The pods of a job that was deleted take a while to go, for which only the next case of the namespace waits. */
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

    /** Found, fixed by its own command, and run. */
    void cured(JobBuilder job, PodOptions options, String... problems) throws InterruptedException {
        fix(finds(job, options, problems));
        runs(job, options);
    }

    void cured(JobBuilder job, String... problems) throws InterruptedException {
        cured(job, PodOptions.none(), problems);
    }

    /** Returns a client with the rights of the account alone. */
    public static KubernetesClient as(KubernetesClient admin, String namespace, String account) {
        return as(admin, namespace, account, new Interceptor() {});
    }

    /** Returns the same client with an interceptor of its requests. */
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
