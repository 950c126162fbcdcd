package dev.edl.k8s;

import dev.edl.Job;
import dev.edl.exec.JobLostException;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What the cluster keeps of a job: a ConfigMap with the job, its profile and its state, which owns every other object of the
 * job. Whoever drives the job writes the state, against the version that it read last, and has its mark in it: a second
 * driver that takes the job over changes the mark, and the first can write no more.
 *
 * <p>The state is compressed, since one of 10,000 replicas would else exceed what an object may have.
 */
final class JobRecord {
    /** Each is lost only to a write of the other driver, which writes when something changes. */
    private static final int TRIES = 100;

    private static final String JOB = "job.yaml";
    private static final String PROFILE = "profile";
    private static final String DRIVER = "driver";
    private static final String PHASE = "phase";
    private static final String STATE = "state.json.gz";

    private final KubernetesClient client;
    private final String driver;
    private ConfigMap latest;
    private boolean collected;

    private JobRecord(KubernetesClient client, String driver, ConfigMap latest) {
        this.client = client;
        this.driver = driver;
        this.latest = latest;
    }

    static String nameOf(String job) {
        return "edl-job-" + job;
    }

    /**
     * Makes the record of a new job.
     *
     * @throws IllegalArgumentException when a job of this name is there
     */
    static JobRecord create(KubernetesClient client, JobPlan plan, JobState state, String driver) {
        ConfigMap record = new ConfigMapBuilder()
                .withNewMetadata()
                .withName(nameOf(plan.name()))
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .endMetadata()
                .addToData(JOB, Job.of(plan.spec()).toYaml())
                .addToData(PROFILE, plan.profile().name())
                .addToData(DRIVER, driver)
                .addToData(PHASE, state.phase().name())
                .addToBinaryData(STATE, pack(state))
                .build();
        try {
            return new JobRecord(client, driver, client.resource(record).create());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                String at = "(\"" + plan.namespace() + "\", \"" + plan.name() + "\")";
                throw new IllegalArgumentException(
                        "job \"" + plan.name() + "\" is in namespace \"" + plan.namespace() + "\" already; attach" + at
                                + " goes on with it, delete" + at + " removes it",
                        e);
            }
            throw e;
        }
    }

    /**
     * Takes the record of a job over: who drove it until now can do so no longer. Empty when there is no such job.
     *
     * @param check throws when this program cannot drive the job, before anything is taken from the one that does
     * @throws KubernetesClientException when that one writes so often that no write of this one gets through
     */
    static Optional<JobRecord> takeOver(
            KubernetesClient client, String namespace, String job, String driver, Consumer<JobPlan> check) {
        for (int attempt = 1; ; attempt++) {
            ConfigMap found = at(client, namespace, job).get();
            if (found == null) {
                return Optional.empty();
            }
            JobRecord record = new JobRecord(client, driver, found);
            check.accept(record.plan());
            ConfigMap mine =
                    new ConfigMapBuilder(found).addToData(DRIVER, driver).build();
            try {
                record.latest = client.resource(mine)
                        .lockResourceVersion(found.getMetadata().getResourceVersion())
                        .update();
                return Optional.of(record);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static Resource<ConfigMap> at(KubernetesClient client, String namespace, String job) {
        return client.configMaps().inNamespace(namespace).withName(nameOf(job));
    }

    /** The job that was submitted, planned as it was then. */
    JobPlan plan() {
        return Job.fromYaml(entry(latest.getData(), JOB)).plan(Profile.valueOf(entry(latest.getData(), PROFILE)));
    }

    JobState state() {
        return unpack(entry(latest.getBinaryData(), STATE));
    }

    private String entry(Map<String, String> data, String key) {
        String value = data == null ? null : data.get(key);
        if (value == null) {
            throw new IllegalStateException("ConfigMap " + latest.getMetadata().getName() + " of namespace "
                    + latest.getMetadata().getNamespace() + " has no " + key + "; it is no record of a job");
        }
        return value;
    }

    /** The object that owns all others of the job. */
    ConfigMap object() {
        return latest;
    }

    /** The reference that makes an object go when the record does. */
    OwnerReference owner() {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(latest.getMetadata().getName())
                .withUid(latest.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /**
     * Keeps a state.
     *
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    synchronized void save(JobState state) {
        if (collected) {
            return;
        }
        String packed = pack(state);
        if (packed.equals(latest.getBinaryData().get(STATE))) {
            return;
        }
        ConfigMap next = new ConfigMapBuilder(latest)
                .addToData(PHASE, state.phase().name())
                .addToBinaryData(STATE, packed)
                .build();
        try {
            latest = client.resource(next)
                    .lockResourceVersion(latest.getMetadata().getResourceVersion())
                    .update();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                refresh(e);
            }
            throw e;
        }
    }

    /** After a conflict: somebody wrote the record. A label added by hand is taken; another driver, or a deletion, is not. */
    private void refresh(KubernetesClientException conflict) {
        ConfigMap found = client.resource(latest).get();
        String job = latest.getMetadata().getName();
        if (found == null
                || !found.getMetadata().getUid().equals(latest.getMetadata().getUid())) {
            throw lost("ConfigMap " + job + " was deleted, and with it the job", conflict);
        }
        if (!driver.equals(found.getData().get(DRIVER))) {
            throw lost("another program drives it now, " + found.getData().get(DRIVER), conflict);
        }
        latest = found;
    }

    private static JobLostException lost(String why, KubernetesClientException conflict) {
        JobLostException lost = new JobLostException(why);
        lost.initCause(conflict);
        return lost;
    }

    /** Deletes the record; the cluster then deletes what it owns. */
    synchronized void collect() {
        client.resource(latest).delete();
        collected = true;
    }

    private static String pack(JobState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(state.toJson().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("a state could not be packed into memory", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static JobState unpack(String text) {
        try (GZIPInputStream packed =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return JobState.fromJson(new String(packed.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the state of a job cannot be unpacked", e);
        }
    }
}
