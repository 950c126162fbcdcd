package dev.edl.conformance.preflight;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.LeastRole;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.jobs.Elastic;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Checks the Role that EDL writes for an account that submits an elastic Horovod job of profile ET_V1ALPHA1. With it the account can
 * submit the job, scale it out and in by the launcher's hosts, take it over and delete it. Without any one of its verbs the cluster
 * refuses a step of these.
 */
@OnCluster("--nodes 3")
class SubmitterElastic {
    private static final String ACCOUNT = "trainer";

    private final KubernetesClient admin;

    private SubmitterElastic(KubernetesClient admin) {
        this.admin = admin;
    }

    @Test
    void the_role_of_an_elastic_job_allows_what_is_needed() throws Exception {
        try (KubernetesClient admin = new KubernetesClientBuilder().build()) {
            new SubmitterElastic(admin).check();
        }
    }

    private static JobPlan plan(String namespace) {
        return Job.named("mnist")
                .namespace(namespace)
                .horovod()
                .image("edl.local/busybox:1")
                .command("sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait")
                .request("cpu=50m,memory=16Mi")
                .launcher()
                .workers(1)
                .elastic(1, 3)
                .build()
                .plan(Profile.ET_V1ALPHA1);
    }

    private void check() throws Exception {
        int verbs = LeastRole.each(
                SubmitterRole.of(plan("x"), Elastic.options()).rules(), List.of(this::whole), this::without);
        System.out.println(
                "kubernetes: with the Role a Horovod job is submitted, scaled out and in by its hosts, taken over and deleted");
        System.out.println("kubernetes: each of its " + verbs
                + " verbs was left out in turn, and each time something was refused");
    }

    private String whole() throws InterruptedException {
        try (Trial trial = new Trial("edl-elastic-whole", new PolicyRuleBuilder().build(), "")) {
            trial.live();
            Checks.check(trial.refused().isEmpty(), "with the whole Role something was refused: " + trial.refused());
            return "with the whole Role: to its end";
        }
    }

    private String without(int number, PolicyRule rule, String verb) throws InterruptedException {
        try (Trial trial = new Trial("edl-elastic-" + number, rule, verb)) {
            trial.live();
            String what = "without " + verb + " of " + rule.getResources().get(0) + " "
                    + String.join(" ", rule.getResourceNames());
            Checks.check(!trial.refused().isEmpty(), what + " everything works; it is not needed");
            return what.strip() + ": " + trial.refused().peek();
        }
    }

    /** One job in its own namespace, by an account with fewer permissions. */
    private final class Trial implements AutoCloseable {
        private final String namespace;
        private final LeastRole role;

        Trial(String namespace, PolicyRule rule, String verb) {
            this.namespace = namespace;
            this.role = new LeastRole(admin, namespace);
            admin.resource(new ServiceAccountBuilder()
                            .withNewMetadata()
                            .withName(ACCOUNT)
                            .withNamespace(namespace)
                            .endMetadata()
                            .build())
                    .create();
            role.make(
                    SubmitterRole.of(plan(namespace), Elastic.options())
                            .objects(SubmitterRole.serviceAccount(namespace, ACCOUNT)),
                    rule,
                    verb);
        }

        Queue<String> refused() {
            return role.refused();
        }

        /** Ends when a request is refused. */
        void live() throws InterruptedException {
            try (KubernetesClient account = PreflightCase.as(admin, namespace, ACCOUNT, role)) {
                role.holds(account);
                job(account);
            } catch (KubernetesClientException e) {
                Checks.check(!refused().isEmpty(), namespace + ": " + e);
            }
        }

        private void job(KubernetesClient account) throws InterruptedException {
            try (KubernetesExecutor first = KubernetesExecutor.using(account, Elastic.options());
                    KubernetesExecutor second = KubernetesExecutor.using(account, Elastic.options())) {
                KubernetesRun run = first.submit(plan(namespace));
                until("it runs", () -> run.status().phase() == JobPhase.RUNNING && hosts(1));
                if (!refused().isEmpty()) {
                    return;
                }
                run.scale("worker", 2);
                until("it has two hosts", () -> hosts(2));
                if (!refused().isEmpty()) {
                    return;
                }
                KubernetesRun taken = second.attach(namespace, "mnist");
                taken.scale("worker", 1);
                until("it has one host, and one worker", () -> hosts(1) && pods() == 2);
                second.delete(namespace, "mnist");
            }
        }

        private boolean hosts(int number) {
            ConfigMap map = admin.configMaps()
                    .inNamespace(namespace)
                    .withName("mnist-config")
                    .get();
            return map != null
                    && map.getData().getOrDefault("hostfile", "").lines().count() == number;
        }

        private int pods() {
            return admin.pods().inNamespace(namespace).list().getItems().size();
        }

        private void until(String what, BooleanSupplier holds) throws InterruptedException {
            role.until(what, Duration.ofMinutes(2), holds);
        }

        @Override
        public void close() {
            role.remove();
        }
    }
}
