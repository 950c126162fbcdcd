package dev.edl.conformance.preflight;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.ReplicaStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Checks the Role that EDL writes for an account that submits a job. A new account with it can submit, scale, take over, read and
 * delete a job. Without any one of its verbs the cluster refuses a step of these, or the preflight reports the missing right.
 */
@OnCluster("--nodes 3")
class Submitter {
    private static final String NAMESPACE = "edl-submitter";
    private static final String ACCOUNT = "trainer";

    private final KubernetesClient admin;
    private final PodOptions options = PodOptions.builder()
            .priorityClass("edl-submitter", 1000)
            .apiAccess("", "events", "list")
            .tensorBoard(TensorBoard.of("/tmp").image("edl.local/busybox:1"))
            .pod(pod -> pod.edit()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec()
                    .build())
            .runAsUser(1000)
            .build();

    private final Job job = Job.named("mnist")
            .namespace(NAMESPACE)
            .image("edl.local/busybox:1")
            .command("sh", "-c", "echo begun; sleep 1000")
            .request("cpu=100m,memory=16Mi")
            .master()
            .workers(1)
            .elastic(1, 3)
            .build();

    private Submitter(KubernetesClient admin) {
        this.admin = admin;
    }

    @Test
    void the_submitters_role_allows_what_is_needed_and_no_more() throws Exception {
        try (KubernetesClient admin = new KubernetesClientBuilder().build()) {
            new Submitter(admin).check();
        }
    }

    private void check() throws Exception {
        Checks.namespace(admin, NAMESPACE, true);
        PreflightCase.accounted(admin, NAMESPACE);
        JobPlan plan = job.plan();
        SubmitterRole role = SubmitterRole.of(plan, options).logs().exec();
        System.out.println(role);
        account(ACCOUNT);

        try (KubernetesClient client = PreflightCase.as(admin, NAMESPACE, ACCOUNT);
                KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            PreflightReport report = executor.preflight(job);
            Checks.check(
                    report.errors().size() == 10
                            && report.errors().stream().allMatch(p -> p.what().contains(" may not ")),
                    "an account without rights was expected to hear of 10 missing ones\n" + report);
            Checks.check(
                    !report.notChecked().isEmpty() && report.warnings().isEmpty(),
                    "what may not be seen is not checked\n" + report);
            System.out.println("kubernetes: an account without rights gets "
                    + report.errors().size() + " missing ones reported, and "
                    + report.notChecked().size() + " checks that it may not make");
            report.errors()
                    .forEach(problem ->
                            PreflightCase.shell(problem.fix().command().orElseThrow()));
            Checks.soon(
                    "the fixes cure it",
                    () -> executor.preflight(job),
                    () -> executor.preflight(job).ok());
            PreflightCase.shell("kubectl delete roles,rolebindings --all --namespace " + NAMESPACE);
            PreflightCase.shell("kubectl delete clusterrole,clusterrolebinding edl-mnist-priorityclasses-create");
            System.out.println("kubernetes: the commands of the report cure it");
        }

        apply(SubmitterRole.of(plan, options).preflight(), ACCOUNT);
        try (KubernetesClient client = PreflightCase.as(admin, NAMESPACE, ACCOUNT);
                KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            Checks.soon(
                    "nothing is left unchecked",
                    () -> executor.preflight(job),
                    () -> executor.preflight(job).problems().isEmpty());
            System.out.println(
                    "kubernetes: with SubmitterRole.preflight() everything is looked at, and nothing is found");
        }

        apply(role, ACCOUNT);
        String done = attempt();
        Checks.check(done.equals("all"), "with the whole Role everything was to work, but " + done);
        System.out.println(
                "kubernetes: with the Role a job is submitted, scaled, relaunched, read, entered, taken over and deleted");
        fewer(role);
        admin.namespaces().withName(NAMESPACE).delete();
    }

    /** Leaves out each verb in turn, so that a request fails. */
    private void fewer(SubmitterRole role) throws Exception {
        int[] count = {0};
        for (HasMetadata object : role.objects(SubmitterRole.serviceAccount(NAMESPACE, ACCOUNT))) {
            List<PolicyRule> rules = object instanceof Role of
                    ? of.getRules()
                    : object instanceof ClusterRole of ? of.getRules() : List.of();
            for (PolicyRule rule : rules) {
                for (String verb : rule.getVerbs()) {
                    List<PolicyRule> rest = new ArrayList<>(rules);
                    rest.set(
                            rest.indexOf(rule),
                            new PolicyRuleBuilder(rule).removeFromVerbs(verb).build());
                    rest.removeIf(r -> r.getVerbs().isEmpty());
                    give(object, rest);
                    String done = attempt();
                    if (done.equals("all")) {
                        // The API server's authorizer observes the change by a watch, so the first attempt may come too
                        // early.
                        done = attempt();
                    }
                    Checks.check(
                            !done.equals("all"),
                            "without " + verb + " of " + rule.getResources() + " everything works; it is not needed");
                    System.out.println("  without " + verb + " " + rule.getResources() + ": " + done);
                    count[0]++;
                }
            }
            give(object, rules);
        }
        System.out.println(
                "kubernetes: each of its " + count[0] + " verbs was left out in turn, and each time something failed");
    }

    private void give(HasMetadata object, List<PolicyRule> rules) {
        if (object instanceof Role role) {
            role.setRules(rules);
            admin.resource(role).update();
        } else if (object instanceof ClusterRole role) {
            role.setRules(rules);
            admin.resource(role).update();
        }
    }

    /**
     * Makes every request that a submitter makes for a job; returns {@code all} if all succeeded, otherwise the failed
     * step.
     */
    private String attempt() throws InterruptedException {
        try (KubernetesClient client = PreflightCase.as(admin, NAMESPACE, ACCOUNT);
                KubernetesExecutor first = KubernetesExecutor.using(client, options);
                KubernetesExecutor second = KubernetesExecutor.using(client, options)) {
            KubernetesRun run = first.submit(job);
            running(run, 1);
            run.scale("worker", 2);
            running(run, 2);
            run.delete(worker(run));
            relaunched(run);
            KubernetesRun taken = second.attach(NAMESPACE, "mnist");
            running(taken, 2);
            taken.scale("worker", 1);
            running(taken, 1);
            String pod = worker(taken);
            client.pods().inNamespace(NAMESPACE).withName(pod).getLog();
            try (ExecWatch exec = client.pods()
                    .inNamespace(NAMESPACE)
                    .withName(pod)
                    .writingOutput(OutputStream.nullOutputStream())
                    .exec("true")) {
                Checks.check(exec.exitCode().get(30, TimeUnit.SECONDS) == 0, "the command true ended otherwise");
            }
            second.delete(NAMESPACE, "mnist");
            return "all";
        } catch (KubernetesClientException | Refused e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        } catch (ExecutionException | TimeoutException e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("") + " of a command in a pod";
        } finally {
            clear();
        }
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    private static void running(KubernetesRun run, long workers) throws InterruptedException {
        await(
                run,
                "a master and " + workers + " workers run",
                () -> run.status().replicas().size() == workers + 1
                        && run.status().replicas().stream()
                                .allMatch(r -> r.status().equals("Running")));
    }

    private static void relaunched(KubernetesRun run) throws InterruptedException {
        await(
                run,
                "a worker is relaunched",
                () -> run.status().replicas().stream()
                        .anyMatch(
                                r -> r.name().endsWith("worker-2") && r.status().equals("Running")));
        running(run, 2);
    }

    /** Waits until the condition holds, or until an event reports that the API server forbids a request. */
    private static void await(KubernetesRun run, String what, BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!holds.getAsBoolean()) {
            for (JobEvent event : run.events()) {
                if (event.message().contains("forbidden")) {
                    throw new Refused(event.message());
                }
            }
            if (System.nanoTime() > end) {
                throw new Refused("not within 90 s: " + what + "; "
                        + run.events().get(run.events().size() - 1));
            }
            Checks.pause(what);
        }
    }

    private static String worker(KubernetesRun run) {
        return run.status().replicas().stream()
                .map(ReplicaStatus::name)
                .filter(name -> name.contains("worker"))
                .findFirst()
                .orElseThrow();
    }

    private void clear() {
        admin.configMaps().inNamespace(NAMESPACE).withName("edl-job-mnist").delete();
        admin.scheduling().v1().priorityClasses().withName("edl-submitter").delete();
        Checks.soon(
                "nothing is left of the job",
                () -> admin.pods().inNamespace(NAMESPACE).list().getItems(),
                () -> admin.pods().inNamespace(NAMESPACE).list().getItems().isEmpty()
                        && admin.services()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty()
                        && admin.serviceAccounts()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .size()
                                == 2
                        && admin.apps()
                                .deployments()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty()
                        && admin.rbac()
                                        .roles()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .size()
                                <= 1
                        && admin.rbac()
                                        .roleBindings()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .size()
                                <= 1);
    }

    private void account(String name) {
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Applies the Role as YAML by kubectl, as an administrator does. */
    private void apply(SubmitterRole role, String account) {
        PreflightCase.shell("kubectl apply --filename - <<'X'\n"
                + role.toYaml(SubmitterRole.serviceAccount(NAMESPACE, account)) + "\nX");
    }
}
