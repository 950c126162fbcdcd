package dev.edl.k8s.internal.record;

import dev.edl.Job;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.ConflictReasons;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster keeps of a job: a ConfigMap with the job, its profile and its state, which owns every other object of the
 * job. The driver of the job writes the state, against the version that it read last, and has its mark in the record.
 *
 * <p>A second driver that takes the job over changes the mark. From then on the first one writes no state, so it decides nothing. It
 * begins no other request for the job's pods later than a second after that ({@link #confirmDriver}). The requests that are under way
 * when it is replaced may still take effect: as many as its executor has in flight, each as long as the client repeats it.
 * A deletion among them has the uid of the pod that was decided about, so it cannot reach a pod of the second driver.
 *
 * <p>The state is packed ({@link StatePacker}), since one of 10,000 replicas would else exceed what an object may have.
 */
public final class JobRecord {
    /** For so long after it was read, the mark is taken to be this driver's still. */
    private static final Duration CONFIRMED = Duration.ofSeconds(1);

    /** A quiet job reads its record this often at least: less than the minute after which all pods are looked at again. */
    private static final Duration SILENT = Duration.ofSeconds(50);

    /** Each is lost only to a write of the other driver, which writes when something changes. */
    private static final int TRIES = 100;

    private static final String JOB = "job.yaml";
    private static final String PROFILE = "profile";
    private static final String DRIVER = "driver";
    private static final String PHASE = "phase";
    private static final String STATE = "state.gz";

    /** What earlier versions of EDL wrote instead, all of it JSON; the first write of this version removes it. */
    private static final String EARLIER_STATE = "state.json.gz";

    private final ClusterApi api;
    private final String driverToken;
    private final StatePacker packer = new StatePacker();
    private ConfigMap latest;
    private boolean collected;
    private InstantSource clock = InstantSource.system();
    /** When the request began whose answer was the last to show this driver's mark. */
    private volatile Instant confirmed = Instant.MIN;
    /** When {@link #confirmIfSilent} was called first, or has last found the API server to answer. */
    private volatile @Nullable Instant checkedIn;

    private volatile @Nullable JobLostException lost;

    private JobRecord(ClusterApi api, String driver, ConfigMap latest) {
        this.api = api;
        this.driverToken = driver;
        this.latest = latest;
    }

    /** Has the record ask its time of this clock instead of the system's. */
    public JobRecord clock(InstantSource of) {
        this.clock = of;
        return this;
    }

    public static String nameOf(String job) {
        return "edl-job-" + job;
    }

    /** Returns the refusal where a job has no record. */
    public static IllegalArgumentException missing(String namespace, String job) {
        return new IllegalArgumentException("job \"" + job + "\" is not in namespace \"" + namespace
                + "\"; a job that was submitted there has a ConfigMap " + nameOf(job));
    }

    /**
     * Makes the record of a new job.
     *
     * @throws IllegalArgumentException when a job of this name is there
     */
    public static JobRecord create(
            ClusterApi api, JobPlan plan, JobState state, String driver, Optional<OwnerReference> of) {
        ConfigMap record = new ConfigMapBuilder()
                .withNewMetadata()
                .withName(nameOf(plan.name()))
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withOwnerReferences(of.stream().toList())
                .endMetadata()
                .addToData(JOB, Job.of(plan.spec()).toYaml())
                .addToData(PROFILE, plan.profile().name())
                .addToData(DRIVER, driver)
                .addToData(PHASE, state.phase().name())
                .addToBinaryData(STATE, new StatePacker().pack(state))
                .build();
        try {
            return new JobRecord(api, driver, api.createConfigMap(record));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                Optional<ConfigMap> found = api.configMap(nameOf(plan.name()));
                if (found.isPresent() && drives(driver, found.get())) {
                    // The client asked twice, as the answer to its first request was lost.
                    return new JobRecord(api, driver, found.get());
                }
                if (!ConflictReasons.exists(e)) {
                    throw e;
                }
                String at = "(\"" + plan.namespace() + "\", \"" + plan.name() + "\")";
                throw new IllegalArgumentException(
                        "job \"" + plan.name() + "\" is in namespace \"" + plan.namespace() + "\" already; attach" + at
                                + " takes it over, delete" + at + " removes it" + naming(plan),
                        e);
            }
            throw e;
        }
    }

    /** Returns what else helps where the name that is taken was derived from the job's content. */
    private static String naming(JobPlan plan) {
        boolean derived = Job.of(plan.spec()).explain().implied().stream()
                .anyMatch(entry -> entry.subject().equals("name"));
        return derived
                ? "; the name was derived from the job's content, so that an equal job has it: to run this one beside it,"
                        + " name it, for example name(\"" + plan.name() + "-2\")"
                : "";
    }

    /**
     * Takes the record of a job over: who drove it until now can do so no longer. Empty when there is no such job, or it is being
     * deleted.
     *
     * @param check throws when this program cannot drive the job, before anything is taken from the one that does
     * @throws KubernetesClientException when that one writes so often that no write of this one gets through
     */
    public static Optional<JobRecord> takeOver(ClusterApi api, String job, String driver, Consumer<JobRecord> check) {
        for (int attempt = 1; ; attempt++) {
            ConfigMap found = api.configMap(nameOf(job)).orElse(null);
            // One that is being deleted takes with it whatever is made.
            if (found == null || found.getMetadata().getDeletionTimestamp() != null) {
                return Optional.empty();
            }
            JobRecord record = new JobRecord(api, driver, found);
            check.accept(record);
            if (drives(driver, found)) {
                // As above.
                return Optional.of(record);
            }
            ConfigMap mine =
                    new ConfigMapBuilder(found).addToData(DRIVER, driver).build();
            try {
                record.latest = api.replaceConfigMap(mine);
                return Optional.of(record);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Returns a record for reading only; the job's driver continues to write it. */
    public static Optional<JobRecord> find(ClusterApi api, String job) {
        return api.configMap(nameOf(job)).map(found -> new JobRecord(api, "", found));
    }

    /** Returns whether a job has a record, of any owner. */
    public static boolean exists(ClusterApi api, String job) {
        return api.configMap(nameOf(job)).isPresent();
    }

    /**
     * Makes sure whose the job is.
     *
     * @throws IllegalArgumentException when it is not this owner's
     */
    public void checkOwner(OwnerReference owner) {
        List<OwnerReference> owners =
                Optional.ofNullable(latest.getMetadata().getOwnerReferences()).orElse(List.of());
        if (owners.stream().noneMatch(one -> one.getUid().equals(owner.getUid()))) {
            String of = owners.isEmpty()
                    ? "no other object"
                    : owners.get(0).getKind() + " " + owners.get(0).getName() + " with uid "
                            + owners.get(0).getUid();
            throw new IllegalArgumentException(
                    "ConfigMap " + latest.getMetadata().getName() + " of namespace "
                            + latest.getMetadata().getNamespace() + " keeps a job that belongs to " + of + ", not to "
                            + owner.getKind() + " " + owner.getName() + " with uid " + owner.getUid()
                            + "; delete that job, or name one of them otherwise");
        }
    }

    /** Returns a text that differs for each job and profile; the record of a plan has the same one until it is edited. */
    public static String digest(JobPlan plan) {
        return RecordDigest.of(plan.profile().name(), Job.of(plan.spec()).toYaml());
    }

    /** Returns the digest of the job that the record keeps now. */
    public String digest() {
        return RecordDigest.of(text(PROFILE), text(JOB));
    }

    /**
     * Checks that the record keeps the job that it was handed over with.
     *
     * @throws IllegalArgumentException when it keeps another job
     */
    public void checkDigest(String expected) {
        if (!digest().equals(expected)) {
            String name = latest.getMetadata().getName();
            throw new IllegalArgumentException("ConfigMap " + name + " of namespace "
                    + latest.getMetadata().getNamespace() + " keeps another job than was handed over: its digest is "
                    + digest() + ", and must be " + expected + "; the job in it is not run. kubectl delete configmap "
                    + name + " removes it with its pods");
        }
    }

    /** Returns the job's owner and driver: {@code of TFJob mnist, driven by 1b4e28ba-…}. */
    public String whose() {
        List<OwnerReference> owners =
                Optional.ofNullable(latest.getMetadata().getOwnerReferences()).orElse(List.of());
        return (owners.isEmpty()
                        ? "of no other object"
                        : "of " + owners.get(0).getKind() + " " + owners.get(0).getName())
                + ", driven by " + driverToken() + ", with digest " + digest();
    }

    /**
     * Checks that the record keeps the job that was asked for. Write access to ConfigMaps is not the right to create pods: a job is
     * not run because a record has it.
     *
     * @param asked the job that the caller has by another way
     * @param digest of a job that the record may keep, too; empty for none
     * @throws IllegalArgumentException when it keeps another job
     */
    public void checkJob(JobPlan asked, String digest) {
        String kept = digest();
        if (!kept.equals(digest) && !keeps(asked)) {
            String name = latest.getMetadata().getName();
            throw new IllegalArgumentException("ConfigMap " + name + " of namespace "
                    + latest.getMetadata().getNamespace() + " keeps another job than \"" + asked.name()
                    + "\" was created with: its digest is " + kept + ", and must be "
                    + (digest.isEmpty() ? digest(asked) : digest)
                    + "; the job in it is not run. kubectl delete configmap " + name
                    + " removes it with its pods, and the job begins anew");
        }
    }

    /** Compares jobs and not their texts, which another version of EDL may write in another way. */
    private boolean keeps(JobPlan asked) {
        if (!text(PROFILE).equals(asked.profile().name())) {
            return false;
        }
        try {
            return Job.fromYaml(text(JOB)).toYaml().equals(Job.of(asked.spec()).toYaml());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String text(String key) {
        return latest.getData() == null ? "" : latest.getData().getOrDefault(key, "");
    }

    /** The job that was submitted, planned as it was then. */
    public JobPlan plan() {
        return Job.fromYaml(entry(latest.getData(), JOB)).plan(Profile.valueOf(entry(latest.getData(), PROFILE)));
    }

    public JobState state() {
        Map<String, String> kept = latest.getBinaryData();
        boolean earlier = kept != null && !kept.containsKey(STATE) && kept.containsKey(EARLIER_STATE);
        return StatePacker.unpack(entry(kept, earlier ? EARLIER_STATE : STATE));
    }

    private String entry(Map<String, String> data, String key) {
        String value = data == null ? null : data.get(key);
        if (value == null) {
            throw new IllegalStateException("ConfigMap " + latest.getMetadata().getName() + " of namespace "
                    + latest.getMetadata().getNamespace() + " has no " + key + "; it is no record of a job");
        }
        return value;
    }

    /** Returns the mark of the job's driver. */
    public String driverToken() {
        return entry(latest.getData(), DRIVER);
    }

    /** Whether another program drives the job now, or it is gone. */
    public boolean taken() {
        return api.configMap(latest.getMetadata().getName())
                .filter(found -> drives(driverToken, found))
                .isEmpty();
    }

    /** The object that owns all others of the job. */
    public ConfigMap object() {
        return latest;
    }

    /**
     * Returns the owner reference by which an object is deleted with the record. A foreground deletion of the record, or of its
     * owner, waits for the object.
     */
    public OwnerReference owner() {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(latest.getMetadata().getName())
                .withUid(latest.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /**
     * Keeps a state.
     *
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    public synchronized void save(JobState state) {
        if (collected) {
            return;
        }
        String packed = packer.pack(state);
        if (packed.equals(latest.getBinaryData().get(STATE))) {
            // There is nothing to write, and so no conflict that would tell of another driver.
            refresh(null);
        }
        for (int attempt = 1; !packed.equals(latest.getBinaryData().get(STATE)); attempt++) {
            ConfigMap next = new ConfigMapBuilder(latest)
                    .addToData(PHASE, state.phase().name())
                    .addToBinaryData(STATE, packed)
                    .removeFromBinaryData(EARLIER_STATE)
                    .editMetadata()
                    // Who wrote which field is the server's to know.
                    .withManagedFields(List.of())
                    .endMetadata()
                    .build();
            try {
                Instant began = clock.instant();
                latest = api.replaceConfigMap(next);
                confirmed = began;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw e;
                }
                // It may hold the state by now: the client asks twice when the answer to its first request is lost.
                refresh(e);
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** What the record is now. A label added by hand is taken; another driver, or a deletion, is not. */
    private void refresh(@Nullable KubernetesClientException conflict) {
        String job = latest.getMetadata().getName();
        Instant began = clock.instant();
        ConfigMap found = api.configMap(job).orElse(null);
        if (found == null
                || !found.getMetadata().getUid().equals(latest.getMetadata().getUid())) {
            throw lost("ConfigMap " + job + " was deleted, and with it the job", conflict);
        }
        if (found.getMetadata().getDeletionTimestamp() != null) {
            // In the foreground: it goes once all that it owns is gone, and must not own anything new.
            throw lost("ConfigMap " + job + " is being deleted, and with it the job", conflict);
        }
        if (!drives(driverToken, found)) {
            throw lost("another program drives it now, " + found.getData().get(DRIVER), conflict);
        }
        latest = found;
        confirmed = began;
    }

    /**
     * Makes sure that this program drives the job, before each request that changes something of it: reads the record when its mark was
     * read or written more than a second ago.
     *
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    public void confirmDriver() {
        if (!confirmed()) {
            synchronized (this) {
                // Another request has read the record meanwhile, or found it lost.
                if (!confirmed()) {
                    refresh(null);
                }
            }
        }
    }

    /**
     * Reads the record when no request for it has been answered for 50 s: a watch that is silent does not tell whether nothing
     * happens or the API server is away.
     *
     * @throws KubernetesClientException when the API server does not answer
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    public synchronized void confirmIfSilent() {
        Instant now = clock.instant();
        Instant last = checkedIn == null || confirmed.isAfter(checkedIn) ? confirmed : checkedIn;
        boolean silent = checkedIn != null && !now.isBefore(last.plus(SILENT));
        if (silent && !collected) {
            refresh(null);
        }
        if (silent || checkedIn == null) {
            checkedIn = now;
        }
    }

    /** Makes sure that this program drives the job, by reading the record now. */
    public synchronized void confirmNow() {
        refresh(null);
    }

    private boolean confirmed() {
        JobLostException known = lost;
        if (known != null) {
            throw lost(String.valueOf(known.getMessage()), null);
        }
        Duration since = Duration.between(confirmed, clock.instant());
        // A clock that was set back says nothing.
        return !since.isNegative() && since.compareTo(CONFIRMED) < 0;
    }

    private static boolean drives(String driver, ConfigMap record) {
        return record.getData() != null && driver.equals(record.getData().get(DRIVER));
    }

    private JobLostException lost(String why, @Nullable KubernetesClientException conflict) {
        JobLostException end = new JobLostException(why);
        end.initCause(conflict);
        lost = end;
        return end;
    }

    /** Deletes the record of a job that could not be begun, and returns why it could not. */
    public <E extends RuntimeException> E collectAfter(E failure) {
        try {
            collect();
        } catch (RuntimeException left) {
            failure.addSuppressed(left);
        }
        return failure;
    }

    /**
     * Deletes the record; the cluster then deletes what it owns. No effect when it is gone.
     *
     * @throws JobLostException when another program drives the job now
     */
    public synchronized void collect() {
        for (int attempt = 1; !collected; attempt++) {
            ConfigMap found = api.configMap(latest.getMetadata().getName()).orElse(null);
            // An earlier request may have been done though its answer was lost.
            if (found != null && found.getMetadata().getDeletionTimestamp() == null) {
                refresh(null);
                try {
                    api.deleteConfigMap(latest);
                } catch (KubernetesClientException e) {
                    if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == TRIES) {
                        throw e;
                    }
                    continue;
                }
            }
            collected = true;
        }
    }
}
