package dev.edl.k8s;

import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.spi.WorkerScalingProvider;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Starts the pod that drives a job from then on.
 *
 * @param client to the cluster
 * @param options of the job's pods
 * @param notices whether workers leave nodes that are about to go
 * @param forceDelete whether the executor deletes pods by force; where it does not, the driver does not either
 */
record DriverHandOver(KubernetesClient client, PodOptions options, boolean notices, boolean forceDelete) {
    /** How long the pods of a driver that is replaced have to go. */
    private static final Duration REPLACED = Duration.ofSeconds(60);

    /**
     * Checks that the pod can drive the job.
     *
     * @throws IllegalArgumentException when it cannot
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
                    + ", which would not have workers leave nodes that are about to go, as this executor does; say"
                    + " DriverPod.nodeNotices()");
        }
    }

    /** Creates the driver's account and Job, in the place of those of an earlier driver. */
    void start(JobRecord record, DriverPod driver) {
        DriverPod pod = forceDelete ? driver : driver.forceDelete(false);
        DriverObjects objects = new DriverObjects(record.plan(), record.owner(), pod, record.digest());
        objects.access().forEach(object -> client.resource(object).createOr(NonDeletingOperation::update));
        // One of an earlier time has ended; its pod template could not be changed.
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
