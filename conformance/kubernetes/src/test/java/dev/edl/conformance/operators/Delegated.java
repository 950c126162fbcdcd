package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import dev.edl.operators.controller.Controller;
import dev.edl.operators.controller.ControllerBuilder;
import dev.edl.operators.controller.JobKinds;
import dev.edl.operators.controller.ManagedKind;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks TfJob, MxJob and TrainingJob submitted by {@link CustomResourceExecutor} to EDL's own controller: the
 * controller carries out what the executor requests, and the executor reads what it writes.
 */
@OnCluster(value = "--nodes 2", alone = true)
class Delegated {
    private final KubernetesClient client;
    private final OperatorCase there;

    private Delegated(KubernetesClient client, OperatorCase there) {
        this.client = client;
        this.there = there;
    }

    @Test
    void a_job_is_handed_to_a_controller() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            ControllerBuilder builder = Controller.using(client).identity("check");
            for (ManagedKind kind : JobKinds.all(TfJobOperatorConfig.parse("{}"), "edl.local/busybox:1")) {
                Checks.install(client, kind.definition());
                builder.kind(kind);
            }
            try (Controller controller = builder.start()) {
                System.out.println(controller);
                new Delegated(client, new OperatorCase(client, "edl-tfjob")).tfJob();
                new Delegated(client, new OperatorCase(client, "edl-mxjob")).mxJob();
                new Delegated(client, new OperatorCase(client, "edl-trainingjob")).trainingJob();
            }
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    private void tfJob() throws Exception {
        Job job = there.base("mnist")
                .tensorflow()
                .master()
                .ps(1)
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, CustomResourceKind.tfJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            Map<String, Integer> all = Map.of("master", 1, "ps", 1, "worker", 2);
            OperatorCase.running(run, all);
            there.environment(run.plan());
            fixed(run, 3);
            // Another program attaches to it, by the submitted plan.
            try (CustomResourceExecutor second = CustomResourceExecutor.using(client, CustomResourceKind.tfJob())) {
                CustomResourceRun attached = second.attach(there.namespace(), "mnist");
                Checks.check(attached.plan().equals(run.plan()), "the plan was attached as\n" + attached.plan());
                OperatorCase.running(attached, all);
            }
            there.end(run.plan().replicaName(RoleType.MASTER, 0), 0);
            ended(run, JobPhase.SUCCEEDED, "");
            removed(operator, run);

            CustomResourceRun failing = operator.submit(job);
            OperatorCase.running(failing, all);
            String master = failing.plan().replicaName(RoleType.MASTER, 0);
            there.end(master, 3);
            ended(failing, JobPhase.FAILED, "; " + master + ": exit code 3 (Error)");
            removed(operator, failing);

            cancelled(operator.submit(job), all);
            System.out.println(
                    "kubernetes: a TfJob runs with the environment of its plan, cannot be scaled, succeeds and fails with its"
                            + " master, and leaves nothing when it is cancelled");
        }
    }

    private void mxJob() throws Exception {
        Job job = there.base("mx")
                .mxnet()
                .scheduler()
                .servers(1)
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, CustomResourceKind.mxJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            Map<String, Integer> all = Map.of("scheduler", 1, "server", 1, "worker", 2);
            OperatorCase.running(run, all);
            there.environment(run.plan());
            fixed(run, 3);
            there.end(run.plan().replicaName(RoleType.WORKER, 0), 0);
            there.end(run.plan().replicaName(RoleType.WORKER, 1), 0);
            ended(run, JobPhase.SUCCEEDED, "");
            removed(operator, run);

            cancelled(operator.submit(job), all);
            System.out.println(
                    "kubernetes: an MxJob runs with the environment of its plan, cannot be scaled, succeeds with its workers,"
                            + " and leaves nothing when it is cancelled");
        }
    }

    private void trainingJob() throws Exception {
        Job job = there.base("elastic")
                .horovod()
                .launcher()
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, CustomResourceKind.trainingJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("launcher", 1, "worker", 2));
            there.environment(run.plan());
            scaled(run, 2, 4);
            scaled(run, 4, 1);
            String hosts = there.exec("elastic-launcher", "cat", "/etc/edl/hostfile");
            Checks.check(hosts.equals("elastic-worker-0:1\n"), "the launcher's hosts are " + hosts);
            there.end("elastic-launcher", 0);
            ended(run, JobPhase.SUCCEEDED, "");
            removed(operator, run);

            cancelled(operator.submit(job), Map.of("launcher", 1, "worker", 2));
            System.out.println(
                    "kubernetes: a TrainingJob is scaled out by a ScaleOut and in by a ScaleIn, succeeds with its launcher, and"
                            + " leaves nothing when it is cancelled");
        }
    }

    private static void scaled(CustomResourceRun run, int from, int to) throws InterruptedException {
        run.scale("worker", to);
        OperatorCase.running(run, Map.of("launcher", 1, "worker", to));
        OperatorCase.told(run, JobEvent.Type.SCALED, "scaled worker from " + from + " to " + to);
        // A request ends shortly after its last pod was deleted.
        OperatorCase.await(run, "no more scaling", status -> "Running".equals(phase(run)));
    }

    private static String phase(CustomResourceRun run) {
        return run.resource().fields().get("status") instanceof Map<?, ?> status
                ? String.valueOf(status.get("phase"))
                : "";
    }

    private static void fixed(CustomResourceRun run, int replicas) {
        try {
            run.scale("worker", replicas);
            Checks.check(false, run + " was scaled");
        } catch (UnsupportedOperationException e) {
            Checks.check(
                    String.valueOf(e.getMessage()).contains("cannot be scaled"), "the message was " + e.getMessage());
        }
    }

    private static void ended(CustomResourceRun run, JobPhase phase, String message) throws InterruptedException {
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(end.phase() == phase && end.message().endsWith(message), "the job ended as " + end);
    }

    /** Everything is deleted with the resource. */
    private void removed(CustomResourceExecutor operator, CustomResourceRun run) throws InterruptedException {
        operator.delete(there.namespace(), run.plan().name());
        Checks.until("the resource is gone", () -> run, () -> {
            try {
                return run.resource().name().isEmpty();
            } catch (IllegalStateException e) {
                return true;
            }
        });
        empty("deleted");
    }

    private void empty(String what) {
        Checks.check(
                there.pods().isEmpty() && there.services().isEmpty(),
                "a " + what + " job left " + there.pods() + there.services());
    }

    private void cancelled(CustomResourceRun run, Map<String, Integer> running) throws InterruptedException {
        OperatorCase.running(run, running);
        run.cancel();
        ended(run, JobPhase.CANCELLED, "");
        empty("cancelled");
    }
}
