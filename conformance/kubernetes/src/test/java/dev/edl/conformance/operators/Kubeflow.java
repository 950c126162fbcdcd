package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.spec.RestartPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks jobs submitted to Kubeflow's own training operator: the operator creates what EDL's plan predicts. */
@OnCluster(value = "--nodes 2", alone = true)
class Kubeflow {
    private final KubernetesClient client;
    private final OperatorCase there;

    private Kubeflow(KubernetesClient client, OperatorCase there) {
        this.client = client;
        this.there = there;
    }

    @Test
    void the_training_operators_objects_equal_the_plan() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            missing(client);
            install(Path.of(Cluster.scripts()).resolveSibling("kubernetes").resolve("operator"));
            new Kubeflow(client, new OperatorCase(client, "edl-tfjob")).tfJob();
            new Kubeflow(client, new OperatorCase(client, "edl-pytorchjob")).pyTorchJob();
            new Kubeflow(client, new OperatorCase(client, "edl-mxjob")).mxJob();
            new Kubeflow(client, new OperatorCase(client, "edl-mpijob")).mpiJob();
            new Kubeflow(client, new OperatorCase(client, "edl-failing")).failing();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    /** Before the operator is installed, the error names the missing definition and how to install it. */
    private static void missing(KubernetesClient client) {
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob())) {
            operator.submit(Job.named("mnist")
                    .tensorflow()
                    .image("edl.local/busybox:1")
                    .workers(1)
                    .build());
            Checks.check(false, "a TFJob was taken by a cluster without its CustomResourceDefinition");
        } catch (IllegalStateException e) {
            String expected = "job \"mnist\" cannot be a TFJob kubeflow.org/v1: the cluster has no"
                    + " CustomResourceDefinition tfjobs.kubeflow.org; install it with Kubeflow's training operator: ";
            Checks.check(String.valueOf(e.getMessage()).startsWith(expected), "the message was " + e.getMessage());
        }
        System.out.println("kubernetes: a cluster without the operator says what is missing");
    }

    private static void install(Path script) throws Exception {
        Process process = new ProcessBuilder(script.toString()).inheritIO().start();
        Checks.check(
                process.waitFor(400, TimeUnit.SECONDS) && process.exitValue() == 0,
                script + " did not install the operator");
    }

    private void tfJob() throws Exception {
        Job job = there.base("mnist")
                .tensorflow()
                .ps(1)
                .workers(2, workers -> workers.elastic(1, 3))
                .build();
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("ps", 1, "worker", 2));
            there.environment(run.plan());
            // Another program attaches to it, by the submitted plan.
            try (CustomResourceExecutor second =
                    CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob())) {
                CustomResourceRun attached = second.attach(there.namespace(), "mnist");
                Checks.check(attached.plan().equals(run.plan()), "the plan was attached as\n" + attached.plan());
                OperatorCase.running(attached, Map.of("ps", 1, "worker", 2));
                attached.scale("worker", 3);
                OperatorCase.running(attached, Map.of("ps", 1, "worker", 3));
            }
            OperatorCase.running(run, Map.of("ps", 1, "worker", 3));
            OperatorCase.told(run, JobEvent.Type.SCALED, "scaled worker from 2 to 3");
            run.scale("worker", 1);
            OperatorCase.running(run, Map.of("ps", 1, "worker", 1));

            run.suspend();
            OperatorCase.await(
                    run,
                    "suspended",
                    status ->
                            status.phase() == JobPhase.SUSPENDED && there.pods().isEmpty());
            OperatorCase.told(run, JobEvent.Type.JOB_SUSPENDED, "TFJob mnist is suspended.");
            run.resume();
            OperatorCase.running(run, Map.of("ps", 1, "worker", 1));
            System.out.println(run);
            System.out.println("kubernetes: a TFJob has the environment of its plan, is scaled, suspended and resumed");

            there.end("mnist-worker-0", 0);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end);
            OperatorCase.await(run, "cleaned up", status -> !there.pods().contains("mnist-ps-0"));
            operator.delete(there.namespace(), "mnist");
            there.gone();
            Checks.until(
                    "the TFJob is gone",
                    there::pods,
                    () -> client.genericKubernetesResources("kubeflow.org/v1", "TFJob")
                                    .inNamespace(there.namespace())
                                    .withName("mnist")
                                    .get()
                            == null);

            // As kubectl create -f would, without anything of EDL's in it.
            client.resource(KubeflowTfJobs.write(job).resource().toKubernetes()).create();
            CustomResourceRun cancelled = operator.attach(there.namespace(), "mnist");
            OperatorCase.running(cancelled, Map.of("ps", 1, "worker", 2));
            cancelled.cancel();
            end = cancelled.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.CANCELLED, "the job ended as " + end);
            there.gone();
            System.out.println(
                    "kubernetes: a TFJob succeeds with its worker, and one that came by hand and is cancelled leaves nothing");
        }
    }

    private void pyTorchJob() throws Exception {
        Job job = there.base("elastic")
                .pytorch()
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("worker", 2));
            there.environment(run.plan());
            run.scale("worker", 4);
            OperatorCase.running(run, Map.of("worker", 4));
            run.scale("worker", 1);
            OperatorCase.running(run, Map.of("worker", 1));
            there.end("elastic-worker-0", 0);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end);
            System.out.println("kubernetes: an elastic PyTorchJob is scaled while it runs");
        }
        ledPyTorchJob();
    }

    /**
     * The operator does not count the master as a node, and passes on the resource's bounds: those of the plan, with
     * the master.
     */
    private void ledPyTorchJob() throws Exception {
        Job job = there.base("led")
                .pytorch()
                .env("PET_LOG_DIR", "/tmp/logs")
                .master()
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("master", 1, "worker", 2));
            String nodes = run.plan().replica("worker", 0).env().get("PET_NNODES");
            Checks.check("2:5".equals(nodes), "the plan has PET_NNODES=" + nodes);
            there.environment(run.plan());
            there.end("led-master-0", 0);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end);
            System.out.println("kubernetes: an elastic PyTorchJob with a master has the environment of its plan");
        }
    }

    private void mxJob() throws Exception {
        Job job = there.base("mx").mxnet().scheduler().servers(1).workers(2).build();
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowMxJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("scheduler", 1, "server", 1, "worker", 2));
            there.environment(run.plan());
            there.end("mx-scheduler-0", 0);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end);
            System.out.println("kubernetes: an MXJob has the environment of its plan and ends with its scheduler");
        }
    }

    /** Its v1, for which the operator copies kubectl into the launcher, so that it reaches its workers. */
    private void mpiJob() throws Exception {
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowMpiJob())) {
            CustomResourceRun run = operator.submit(mpi("mpi"));
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("launcher", 1, "worker", 2));
            there.environment(run.plan());
            String host = there.exec("mpi-launcher", "/etc/mpi/kubexec.sh", "mpi-worker-1", "hostname");
            Checks.check(
                    host.strip().equals("mpi-worker-1"), "the launcher reached a worker that calls itself " + host);
            run.scale("worker", 3);
            OperatorCase.running(run, Map.of("launcher", 1, "worker", 3));
            OperatorCase.told(run, JobEvent.Type.SCALED, "scaled worker from 2 to 3");
            there.end("mpi-launcher", 0);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end);
            operator.delete(there.namespace(), "mpi");
            there.gone();

            CustomResourceRun failing = operator.submit(mpi("failing"));
            OperatorCase.print(failing);
            OperatorCase.running(failing, Map.of("launcher", 1, "worker", 2));
            there.end("failing-launcher", 3);
            end = failing.await(Checks.LIMIT);
            Checks.check(
                    end.phase() == JobPhase.FAILED && end.message().endsWith("; failing-launcher: exit code 3 (Error)"),
                    "the job ended as " + end);
            operator.delete(there.namespace(), "failing");
            there.gone();

            CustomResourceRun cancelled = operator.submit(mpi("cancelled"));
            OperatorCase.running(cancelled, Map.of("launcher", 1, "worker", 2));
            cancelled.cancel();
            end = cancelled.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.CANCELLED, "the job ended as " + end);
            there.gone();
            System.out.println(
                    "kubernetes: an MPIJob has the environment of its plan, its launcher reaches its workers, it is scaled,"
                            + " succeeds or fails with its launcher, and leaves nothing when it is cancelled");
        }
    }

    /** Its launcher runs kubectl, which would take half a minute with the small resources of the others. */
    private Job mpi(String name) {
        return there.base(name)
                .limit("cpu=1,memory=256Mi")
                .horovod()
                .restart(RestartPolicy.NEVER)
                .launcher()
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
    }

    private void failing() throws Exception {
        Job job = there.base("failing")
                .tensorflow()
                .workers(2)
                .restart(RestartPolicy.NEVER)
                .build();
        try (CustomResourceExecutor operator =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob())) {
            CustomResourceRun run = operator.submit(job);
            OperatorCase.print(run);
            OperatorCase.running(run, Map.of("worker", 2));
            there.end("failing-worker-1", 3);
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(
                    end.phase() == JobPhase.FAILED && end.message().endsWith("; failing-worker-1: exit code 3 (Error)"),
                    "the job ended as " + end);
            System.out.println("kubernetes: a failed job reports its reason: " + end.message());
        }
    }
}
