package dev.edl.k8s;

import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.spi.WorkerScalingProvider;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Starts the driver pod that takes over a job.
 *
 * @param client Kubernetes client of the cluster
 * @param options Kubernetes settings of the job's pods
 * @param notices whether this executor moves workers off nodes that are about to go
 * @param forceDelete whether the executor force-deletes pods; if false, neither does the driver
 */
record DriverHandOver(KubernetesClient client, PodOptions options, boolean notices, boolean forceDelete) {
    /** Longest wait for an earlier driver's Job and pods to be gone. */
    private static final Duration REPLACED = Duration.ofSeconds(60);

    /**
     * Checks that the driver pod can drive the job: that the job's way of scaling allows it, and that it has the job's
     * pod options and node notices.
     *
     * @throws IllegalArgumentException when the driver pod cannot drive the job
     */
    void check(JobRecord record, DriverPod driver) {
        String job = record.plan().name();
        WorkerScalingProvider.of(record.plan()).handOverObstacle(record.plan()).ifPresent(why -> {
            throw new IllegalArgumentException("job \"" + job + "\" cannot be handed over: " + why);
        });
        if (!driver.knowsOptions()
                && !options.toString().equals(PodOptions.none().toString())) {
            throw new IllegalArgumentException("job \"" + job + "\" cannot be handed over to a " + driver
                    + ", which does not know the options of its pods (" + options
                    + "); give it a mainClass that calls KubernetesDriver.run(options, args)");
        }
        if (notices && !driver.knowsNotices()) {
            throw new IllegalArgumentException("job \"" + job + "\" cannot be handed over to a " + driver
                    + ", which does not move workers off nodes that are about to go, as this executor does; call"
                    + " DriverPod.nodeNotices()");
        }
    }

    /** Creates the driver's service account and Job. Replaces the account and Job of an earlier driver. */
    void start(JobRecord record, DriverPod driver) {
        DriverPod pod = forceDelete ? driver : driver.forceDelete(false);
        PodTemplates templates = PodTemplates.of(record.plan(), options);
        boolean admitted = KueueMetadata.hasGroup(record.plan(), role -> templates.get(role, 0, 0));
        DriverObjects objects = new DriverObjects(record.plan(), record.owner(), pod, record.digest(), admitted);
        objects.access().forEach(object -> client.resource(object).createOr(NonDeletingOperation::update));
        // An earlier Job has ended. Its pod template is immutable, so it is deleted.
        var earlier = client.batch()
                .v1()
                .jobs()
                .inNamespace(record.plan().namespace())
                .withName(objects.job().getMetadata().getName());
        Job found = earlier.get();
        if (found != null) {
            PreconditionedDelete.inForeground(client, "jobs", found);
            earlier.waitUntilCondition(Objects::isNull, REPLACED.toSeconds(), TimeUnit.SECONDS);
        }
        client.resource(objects.job()).create();
    }
}
