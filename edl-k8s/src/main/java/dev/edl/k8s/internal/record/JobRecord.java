package dev.edl.k8s.internal.record;

import dev.edl.Job;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.ConflictReasons;
import dev.edl.plan.JobPlan;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Record of a job in the cluster: a ConfigMap with the job, its profile and its state, which owns every other object of
 * the job. The job's driver writes the state on condition that the record still has the resource version that it read
 * last. The record has the driver's token.
 *
 * <p>A second driver that takes the job over changes the token. From then on the first driver writes no state, so it
 * decides nothing. It begins no other request for the job's pods later than 1 s after that ({@link #confirmDriver}).
 * Its requests in flight may still take effect: as many as its executor allows, each for as long as the client retries
 * it. A deletion among them has the uid of the intended pod, so it cannot hit a pod of the second driver.
 *
 * <p>The state is packed ({@link StatePacker}), because the plain state of 10,000 replicas exceeds the size limit of an
 * object.
 */
public final class JobRecord {
    /** Time for which the driver token, once read from the record, counts as current. */
    private static final Duration CONFIRMED = Duration.ofSeconds(1);

    /** Longest time between two reads of a quiet job's record. Less than the 1m resync interval of all pods. */
    private static final Duration SILENT = Duration.ofSeconds(50);

    /** Maximum attempts to take a job over. One fails only if the other driver writes the record meanwhile. */
    static final int TRIES = 100;

    private final ClusterApi api;
    private final String driverToken;
    private final StatePacker packer = new StatePacker();
    private ConfigMap latest;
    /** Requests of other programs that are applied and still in the record. */
    private final List<JobRequest> accepted = new CopyOnWriteArrayList<>();
    /** Accepted requests that a later request has replaced. */
    private final Set<JobRequest> replaced = ConcurrentHashMap.newKeySet();

    private boolean collected;
    private InstantSource clock = InstantSource.system();
    /** Start of the last request whose answer had this driver's token. */
    private volatile Instant confirmed = Instant.MIN;
    /** Time of the first call of {@link #confirmIfSilent}, or of its last answer from the API server. */
    private volatile @Nullable Instant checkedIn;

    private volatile @Nullable JobLostException lost;

    private JobRecord(ClusterApi api, String driver, ConfigMap latest) {
        this.api = api;
        this.driverToken = driver;
        this.latest = latest;
    }

    /** Sets the clock; the default is the system's. */
    public JobRecord clock(InstantSource of) {
        this.clock = of;
        return this;
    }

    public static String nameOf(String job) {
        return "edl-job-" + job;
    }

    /** Returns the exception for a job without a record. */
    public static IllegalArgumentException missing(String namespace, String job) {
        return new IllegalArgumentException("job \"" + job + "\" is not in namespace \"" + namespace
                + "\"; a job that was submitted there has a ConfigMap " + nameOf(job));
    }

    /**
     * Creates the record of a new job.
     *
     * @throws IllegalArgumentException when a job of this name exists
     */
    public static JobRecord create(
            ClusterApi api, JobPlan plan, JobState state, String driver, Optional<OwnerReference> of) {
        ConfigMap record = new ConfigMapBuilder()
                .withNewMetadata()
                .withName(nameOf(plan.name()))
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .addToLabels(StoredJob.LABEL, plan.name())
                .withOwnerReferences(of.stream().toList())
                .endMetadata()
                .addToData(StoredJob.JOB, Job.of(plan.spec()).toYaml())
                .addToData(StoredJob.PROFILE, plan.profile().name())
                .addToData(StoredJob.DRIVER, driver)
                .addToData(StoredJob.PHASE, state.phase().name())
                .addToBinaryData(StoredJob.STATE, new StatePacker().pack(state))
                .build();
        try {
            return new JobRecord(api, driver, api.createConfigMap(record));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                Optional<ConfigMap> found = api.configMap(nameOf(plan.name()));
                if (found.isPresent() && drives(driver, found.get())) {
                    // The client retried, because the answer to its first request was lost.
                    return new JobRecord(api, driver, found.get());
                }
                if (!ConflictReasons.exists(e)) {
                    throw e;
                }
                String namespace = plan.namespace();
                String name = plan.name();
                throw new IllegalArgumentException(
                        "job \"" + name + "\" is in namespace \"" + namespace + "\" already; attach(\"" + namespace
                                + "\", \"" + name + "\") takes it over, delete(\"" + namespace + "\", \"" + name
                                + "\") removes it" + naming(plan),
                        e);
            }
            throw e;
        }
    }

    /** Returns advice for the message that the job exists; empty if its name was not derived from its content. */
    private static String naming(JobPlan plan) {
        boolean derived = Job.of(plan.spec()).explain().implied().stream()
                .anyMatch(entry -> entry.subject().equals("name"));
        return derived
                ? "; the name was derived from the job's content, so an equal job has the same name: to run both,"
                        + " set a name, for example name(\"" + plan.name() + "-2\")"
                : "";
    }

    /**
     * Takes over the record of a job, so that its earlier driver can no longer drive it. Empty when the job does not
     * exist or is being deleted.
     *
     * @param check throws if this program cannot drive the job, before the earlier driver loses it
     * @throws KubernetesClientException when the earlier driver writes so often that no write of this one succeeds
     */
    public static Optional<JobRecord> takeOver(ClusterApi api, String job, String driver, Consumer<JobRecord> check) {
        for (int attempt = 1; ; attempt++) {
            ConfigMap found = api.configMap(nameOf(job)).orElse(null);
            // A record that is being deleted would take every new object with it.
            if (found == null || found.getMetadata().getDeletionTimestamp() != null) {
                return Optional.empty();
            }
            JobRecord record = new JobRecord(api, driver, found);
            check.accept(record);
            if (drives(driver, found)) {
                // The client retried, as above.
                return Optional.of(record);
            }
            ConfigMap mine = new ConfigMapBuilder(found)
                    .addToData(StoredJob.DRIVER, driver)
                    .build();
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

    /** Returns a read-only record; the job's driver continues to write it. */
    public static Optional<JobRecord> find(ClusterApi api, String job) {
        return api.configMap(nameOf(job)).map(found -> new JobRecord(api, "", found));
    }

    /** Returns whether a job has a record, of any owner. */
    public static boolean exists(ClusterApi api, String job) {
        return api.configMap(nameOf(job)).isPresent();
    }

    /**
     * Checks the owner of the job.
     *
     * @throws IllegalArgumentException when it belongs to another owner
     */
    public void checkOwner(OwnerReference owner) {
        stored().checkOwner(owner);
    }

    /**
     * Returns a digest that differs for each job and profile. The record of a plan has the same digest until it is
     * edited.
     */
    public static String digest(JobPlan plan) {
        return RecordDigest.of(plan.profile().name(), Job.of(plan.spec()).toYaml());
    }

    /** Returns the digest of the job that the record stores now. */
    public String digest() {
        return stored().digest();
    }

    /**
     * Checks that the record stores the job that was handed over.
     *
     * @throws IllegalArgumentException when it stores another job
     */
    public void checkDigest(String expected) {
        stored().checkDigest(expected);
    }

    /** Returns the job's owner, driver and digest for messages; see {@link StoredJob#whose}. */
    public String whose() {
        return stored().whose();
    }

    /**
     * Checks that the record stores the requested job; see {@link StoredJob#checkJob}.
     *
     * @param digest digest of another job that the record may also store; empty for none
     * @throws IllegalArgumentException when it stores another job
     */
    public void checkJob(JobPlan asked, String digest) {
        stored().checkJob(asked, digest);
    }

    /** Returns the content of the record, as it was read or written last. */
    public StoredJob stored() {
        return new StoredJob(latest);
    }

    /** Returns the submitted job, with its plan of that time. */
    public JobPlan plan() {
        return stored().plan();
    }

    public JobState state() {
        return stored().state();
    }

    /** Returns the token of the job's driver. */
    public String driverToken() {
        return stored().driverToken();
    }

    /** Returns whether another program drives the job now, or the record is gone. */
    public boolean taken() {
        return api.configMap(latest.getMetadata().getName())
                .filter(found -> drives(driverToken, found))
                .isEmpty();
    }

    /** Returns the ConfigMap, which owns all other objects of the job. */
    public ConfigMap object() {
        return latest;
    }

    /**
     * Returns the owner reference by which an object is deleted with the record. A foreground deletion of the record,
     * or of its owner, waits for the object.
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
     * Writes a state.
     *
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    public synchronized void save(JobState state) {
        if (collected) {
            return;
        }
        String packed = packer.pack(state);
        List<JobRequest> answered = accepted.stream()
                .filter(request -> replaced.contains(request) || request.isIn(state))
                .toList();
        if (packed.equals(latest.getBinaryData().get(StoredJob.STATE))) {
            // There is nothing to write, so no conflict would reveal another driver.
            refresh(null);
        }
        for (int attempt = 1; !packed.equals(latest.getBinaryData().get(StoredJob.STATE)); attempt++) {
            ConfigMap next = new ConfigMapBuilder(stored().without(answered))
                    .addToData(StoredJob.PHASE, state.phase().name())
                    .addToBinaryData(StoredJob.STATE, packed)
                    .editMetadata()
                    // The server manages these fields.
                    .withManagedFields(List.of())
                    .endMetadata()
                    .build();
            try {
                Instant began = clock.instant();
                latest = api.replaceConfigMap(next);
                confirmed = began;
                forget(answered);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw e;
                }
                // It may have the state already: the client retries when the answer to its first request is lost.
                refresh(e);
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Reads the record, and returns the requests that this driver has not accepted yet.
     *
     * @throws JobLostException when another program drives the job now, or the record was deleted
     */
    public synchronized List<JobRequest> newRequests() {
        if (collected) {
            return List.of();
        }
        refresh(null);
        if (!accepted.isEmpty()) {
            JobState written = state();
            // The state had the requested number before, so no write follows from the request.
            List<JobRequest> answered = accepted.stream()
                    .filter(request -> replaced.contains(request) || request.isIn(written))
                    .toList();
            if (!answered.isEmpty()) {
                latest = api.replaceConfigMap(stored().without(answered));
                forget(answered);
            }
        }
        return stored().requests().stream()
                .filter(request -> !accepted.contains(request))
                .toList();
    }

    /** Records that the driver applies a request. The write of a state with its effect removes it from the record. */
    public void accept(JobRequest request) {
        replace(request.role());
        accepted.add(request);
    }

    /**
     * Records that a later request replaces the accepted ones of a role. They are removed without their effect.
     *
     * @param role id of the role; empty for a cancellation
     */
    public void replace(Optional<String> role) {
        accepted.stream().filter(request -> request.role().equals(role)).forEach(replaced::add);
    }

    private void forget(List<JobRequest> answered) {
        accepted.removeAll(answered);
        answered.forEach(replaced::remove);
    }

    /** Replaces a request by its refusal. If the record was written meanwhile, the next read repeats it. */
    public synchronized void refuse(JobRequest request, String why) {
        latest = api.replaceConfigMap(stored().refusing(request, why));
    }

    /** Reads the record again. Accepts foreign changes such as a label, but not another driver or a deletion. */
    private void refresh(@Nullable KubernetesClientException conflict) {
        String job = latest.getMetadata().getName();
        Instant began = clock.instant();
        ConfigMap found = api.configMap(job).orElse(null);
        if (found == null
                || !found.getMetadata().getUid().equals(latest.getMetadata().getUid())) {
            throw lost("ConfigMap " + job + " was deleted, and with it the job", conflict);
        }
        if (found.getMetadata().getDeletionTimestamp() != null) {
            // A foreground deletion waits for all dependents, so the record must not get new ones.
            throw lost("ConfigMap " + job + " is being deleted, and with it the job", conflict);
        }
        if (!drives(driverToken, found)) {
            throw lost("another program drives it now, " + found.getData().get(StoredJob.DRIVER), conflict);
        }
        latest = found;
        confirmed = began;
    }

    /**
     * Confirms that this program drives the job, before each request that changes the job. Reads the record if its
     * token was read or written more than 1 s ago.
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
     * Reads the record if no request for it was answered for 50 s. A silent watch does not distinguish a quiet job from
     * an unreachable API server.
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

    /** Confirms that this program drives the job, by reading the record now. */
    public synchronized void confirmNow() {
        refresh(null);
    }

    private boolean confirmed() {
        JobLostException known = lost;
        if (known != null) {
            throw lost(String.valueOf(known.getMessage()), null);
        }
        Duration since = Duration.between(confirmed, clock.instant());
        // After a clock was set back, the time does not count.
        return !since.isNegative() && since.compareTo(CONFIRMED) < 0;
    }

    private static boolean drives(String driver, ConfigMap record) {
        return record.getData() != null && driver.equals(record.getData().get(StoredJob.DRIVER));
    }

    private JobLostException lost(String why, @Nullable KubernetesClientException conflict) {
        JobLostException end = new JobLostException(why);
        end.initCause(conflict);
        lost = end;
        return end;
    }

    /** Deletes the record of a job that could not be started, and returns {@code failure}, which the caller throws. */
    public <E extends RuntimeException> E collectAfter(E failure) {
        try {
            collect();
        } catch (RuntimeException left) {
            failure.addSuppressed(left);
        }
        return failure;
    }

    /**
     * Deletes the record; the cluster then deletes its dependents. Does nothing if it is gone.
     *
     * @throws JobLostException when another program drives the job now
     */
    public synchronized void collect() {
        for (int attempt = 1; !collected; attempt++) {
            ConfigMap found = api.configMap(latest.getMetadata().getName()).orElse(null);
            // An earlier request may have taken effect although its answer was lost.
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
