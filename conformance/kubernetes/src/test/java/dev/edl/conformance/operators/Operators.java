package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Checks that a real API server accepts TfJob, MxJob and TrainingJob by EDL's definitions; this program writes the
 * status in place of their operators.
 */
@OnCluster(value = "--fake 1", alone = true)
class Operators {
    private static final String NAMESPACE = "edl-operators";

    private final KubernetesClient client;

    private Operators(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void custom_resources_are_taken_as_they_are_written() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            List<CustomResourceDefinition> definitions = new ArrayList<>(ScaleRequests.definitions());
            definitions.add(TrainingJobs.definition());
            definitions.add(TfJobs.definition());
            definitions.add(MxJobs.definition());
            for (CustomResourceDefinition definition : definitions) {
                Checks.install(client, definition);
            }
            Operators check = new Operators(client);
            check.tfJob();
            check.mxJob();
            check.trainingJob();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    private void tfJob() throws InterruptedException {
        CustomResourceKind resource = CustomResourceKind.tfJob();
        Job job = Job.named("mnist")
                .namespace(NAMESPACE)
                .tensorflow()
                .image("mnist:1")
                .master()
                .ps(2)
                .workers(2)
                .build();
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, resource)) {
            CustomResourceRun run = executor.submit(job);
            until(run, "not taken up", status -> status.message().startsWith("no operator has reconciled"));
            // Without a status subresource, the status is written like any other field.
            one(resource, "mnist").edit(there -> with(there, Map.of("phase", "Running", "state", "Running")));
            until(run, "running", status -> status.phase() == JobPhase.RUNNING);
            one(resource, "mnist").edit(there -> with(there, Map.of("phase", "Done", "state", "Succeeded")));
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the TfJob ended as " + end);
            executor.delete(NAMESPACE, "mnist");
            Checks.until("it is gone", () -> run, () -> one(resource, "mnist").get() == null);
            System.out.println("kubernetes: a TfJob is taken, followed to its end and deleted");
        }
    }

    private void mxJob() throws InterruptedException {
        CustomResourceKind resource = CustomResourceKind.mxJob();
        Job job = Job.named("mx")
                .namespace(NAMESPACE)
                .mxnet()
                .image("mx:1")
                .scheduler()
                .servers(1)
                .workers(2)
                .build();
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, resource)) {
            executor.submit(job);
        }
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, resource)) {
            CustomResourceRun run = executor.attach(NAMESPACE, "mx");
            Checks.check(run.plan().equals(job.plan(resource.profile())), "the plan was attached as\n" + run.plan());
            one(resource, "mx").edit(there -> with(there, Map.of("phase", "Failed", "reason", "no such image")));
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(
                    end.phase() == JobPhase.FAILED && end.message().equals("no such image"),
                    "the MxJob ended as " + end);
            System.out.println("kubernetes: an MxJob is taken, attached and fails with its operator's reason");
        }
    }

    private void trainingJob() throws InterruptedException {
        CustomResourceKind resource = CustomResourceKind.trainingJob();
        Job job = Job.named("elastic")
                .namespace(NAMESPACE)
                .horovod()
                .image("horovod:1")
                .launcher()
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, resource)) {
            CustomResourceRun run = executor.submit(job);
            status(resource, Map.of("phase", "Running"), 2);
            until(run, "running", status -> status.phase() == JobPhase.RUNNING);
            run.scale("worker", 4);
            try {
                run.scale("worker", 1);
                Checks.check(false, "a second request was taken while the first was under way");
            } catch (IllegalStateException e) {
                Checks.check(
                        String.valueOf(e.getMessage()).contains("cannot be scaled while ScaleOut "), String.valueOf(e));
            }
            status(resource, Map.of("phase", "Running"), 4);
            until(
                    run,
                    "scaled",
                    status -> status.roles().stream()
                            .anyMatch(role -> role.role().id().equals("worker") && role.desired() == 4));
            // The status may be seen before its event.
            Checks.until(
                    "an event says that it was scaled",
                    run::events,
                    () -> run.events().stream()
                            .anyMatch(event -> event.type() == JobEvent.Type.SCALED
                                    && event.message().equals("scaled worker from 2 to 4")));
            run.cancel();
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.CANCELLED, "the TrainingJob ended as " + end);
            System.out.println("kubernetes: a TrainingJob is taken, scaled by a ScaleOut and cancelled");
        }
    }

    private void status(CustomResourceKind resource, Map<String, ?> phase, int workers) {
        Map<String, Object> status = new java.util.TreeMap<>(phase);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            names.add("elastic-worker-" + i);
        }
        status.putAll(Map.of(
                "targetWorkers", names, "conditions", List.of(), "replicaStatuses", Map.of(), "restartCount", 0));
        one(resource, "elastic").editStatus(there -> with(there, status));
    }

    private static GenericKubernetesResource with(GenericKubernetesResource there, Map<String, ?> status) {
        there.setAdditionalProperty("status", status);
        return there;
    }

    private Resource<GenericKubernetesResource> one(CustomResourceKind resource, String name) {
        return client.genericKubernetesResources(resource.apiVersion(), resource.kind())
                .inNamespace(NAMESPACE)
                .withName(name);
    }

    private static void until(CustomResourceRun run, String what, Predicate<JobStatus> holds)
            throws InterruptedException {
        Checks.until("the job is " + what, () -> run, () -> holds.test(run.status()));
    }
}
