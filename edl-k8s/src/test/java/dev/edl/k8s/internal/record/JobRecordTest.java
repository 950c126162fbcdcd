package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The client retries a request whose answer was lost, and accepts the effect of the first try. */
@MockCluster
class JobRecordTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .tensorflow()
            .workers(2)
            .elastic(1, 8)
            .build()
            .plan();
    private static final JobState NEW = JobState.initial(PLAN);
    private static final JobState SCALED = NEW.withDesired(RoleType.WORKER, 5);

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Resource<ConfigMap> object() {
        return client.configMaps().inNamespace("test").withName("edl-job-mnist");
    }

    private JobRecord takeOver(String driver) {
        return JobRecord.takeOver(ClusterApi.of(client, "test"), "mnist", driver, plan -> {})
                .orElseThrow();
    }

    @Test
    void a_repeated_creation_by_one_driver_succeeds() {
        JobRecord first = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        JobRecord again = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());

        assertThat(again.owner()).isEqualTo(first.owner());
        assertThatThrownBy(() -> JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "you", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_derived_name_that_exists_is_refused_with_a_fix() {
        JobPlan plan = Job.builder()
                .namespace("test")
                .image("mnist:1")
                .workers(1)
                .build()
                .plan();
        String name = plan.name();
        JobRecord.create(ClusterApi.of(client, "test"), plan, JobState.initial(plan), "me", Optional.empty());
        JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());

        assertThatThrownBy(() -> JobRecord.create(
                        ClusterApi.of(client, "test"), plan, JobState.initial(plan), "you", Optional.empty()))
                .hasMessage("job \"" + name + "\" is in namespace \"test\" already; attach(\"test\", \"" + name
                        + "\") takes it over, delete(\"test\", \"" + name
                        + "\") removes it; the name was derived from"
                        + " the job's content, so an equal job has the same name: to run both, set a name,"
                        + " for example name(\"" + name + "-2\")");
        assertThatThrownBy(() -> JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "you", Optional.empty()))
                .hasMessageEndingWith("delete(\"test\", \"mnist\") removes it");
    }

    @Test
    void a_record_names_its_owner() {
        OwnerReference tfJob = new OwnerReferenceBuilder()
                .withKind("TFJob")
                .withName("mnist")
                .withUid("uid-1")
                .build();
        String digest = JobRecord.digest(PLAN);

        assertThat(JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.of(tfJob))
                        .whose())
                .isEqualTo("of TFJob mnist, driven by me, with digest " + digest);
        object().delete();
        assertThat(JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "you", Optional.empty())
                        .whose())
                .isEqualTo("of no other object, driven by you, with digest " + digest);
    }

    @Test
    void a_state_that_was_stored_already_is_accepted() {
        JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        JobRecord slow = takeOver("me");
        takeOver("me").save(SCALED);
        slow.save(SCALED);

        assertThat(takeOver("me").state()).isEqualTo(SCALED);
    }

    @Test
    void a_label_added_by_hand_stays_and_costs_nothing() {
        JobRecord record = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().edit(map ->
                map.edit().editMetadata().addToLabels("team", "a").endMetadata().build());
        record.save(SCALED);

        assertThat(takeOver("me").state()).isEqualTo(SCALED);
        assertThat(object().get().getMetadata().getLabels()).contains(Map.entry("team", "a"));
    }

    @Test
    void a_replaced_driver_writes_no_state() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        takeOver("you");

        assertThatThrownBy(() -> mine.save(SCALED))
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
        assertThat(takeOver("you").state()).isEqualTo(NEW);
    }

    @Test
    void a_replaced_driver_deletes_no_record() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        takeOver("you");

        assertThatThrownBy(mine::collect)
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
        assertThat(object().get()).isNotNull();
        takeOver("you").collect();
        assertThat(object().get()).isNull();
    }

    @Test
    void a_missing_record_counts_as_deleted() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().delete();

        mine.collect();
        mine.save(SCALED);

        assertThat(object().get()).isNull();
    }

    @Test
    void a_deleted_record_is_not_created_again() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().delete();

        assertThatThrownBy(() -> mine.save(SCALED))
                .isInstanceOf(JobLostException.class)
                .hasMessage("ConfigMap edl-job-mnist was deleted, and with it the job");
        assertThat(object().get()).isNull();
    }

    @Test
    void an_unchanged_state_also_reveals_another_driver() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        takeOver("you");

        assertThatThrownBy(() -> mine.save(NEW))
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
    }

    @Test
    void a_record_in_foreground_deletion_is_lost() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().edit(map -> map.edit()
                .editMetadata()
                .addToFinalizers("foregroundDeletion")
                .endMetadata()
                .build());
        object().delete();
        assertThat(object().get().getMetadata().getDeletionTimestamp()).isNotNull();

        assertThatThrownBy(() -> mine.save(SCALED))
                .isInstanceOf(JobLostException.class)
                .hasMessage("ConfigMap edl-job-mnist is being deleted, and with it the job");
        assertThat(JobRecord.takeOver(ClusterApi.of(client, "test"), "mnist", "you", plan -> {}))
                .isEmpty();
    }

    @Test
    void the_write_of_the_new_number_removes_the_request_and_no_write_before_it_does() {
        ClusterApi api = ClusterApi.of(client, "test");
        JobRecord record = JobRecord.create(api, PLAN, NEW, "me", Optional.empty());
        JobRequest request = JobRequest.scale("worker", 5);
        StoredJob.request(api, "mnist", request);

        assertThat(record.newRequests()).containsExactly(request);
        record.accept(request);
        record.save(NEW.withDesired(RoleType.WORKER, 3));
        assertThat(new StoredJob(object().get()).requests()).containsExactly(request);

        record.save(SCALED);
        StoredJob written = new StoredJob(object().get());
        assertThat(written.requests()).isEmpty();
        assertThat(written.state()).isEqualTo(SCALED);
        assertThat(record.newRequests()).isEmpty();
    }
}
