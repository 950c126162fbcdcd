package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.RoleType;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A request whose answer is lost is made again by the client: what it did is found done. */
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
    void a_record_that_is_made_twice_by_the_same_driver_is_one() {
        JobRecord first = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        JobRecord again = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());

        assertThat(again.owner()).isEqualTo(first.owner());
        assertThatThrownBy(() -> JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "you", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_name_that_was_derived_and_is_taken_says_so_and_how_to_name_the_job() {
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
    void a_record_says_whose_it_is() {
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
    void a_job_that_an_earlier_version_drove_is_taken_over() throws IOException {
        JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "earlier", Optional.empty());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(SCALED.toJson().getBytes(StandardCharsets.UTF_8));
        }
        object().edit(map -> map.edit()
                .withBinaryData(Map.of("state.json.gz", Base64.getEncoder().encodeToString(bytes.toByteArray())))
                .build());

        JobRecord mine = takeOver("me");
        assertThat(mine.state()).isEqualTo(SCALED);
        mine.save(SCALED);
        assertThat(object().get().getBinaryData()).containsOnlyKeys("state.gz");
        assertThat(takeOver("you").state()).isEqualTo(SCALED);
    }

    @Test
    void a_state_that_was_kept_already_is_kept() {
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
    void what_another_driver_has_taken_is_not_written() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        takeOver("you");

        assertThatThrownBy(() -> mine.save(SCALED))
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
        assertThat(takeOver("you").state()).isEqualTo(NEW);
    }

    @Test
    void what_another_driver_has_taken_is_not_deleted() {
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
    void a_record_that_is_gone_is_collected() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().delete();

        mine.collect();
        mine.save(SCALED);

        assertThat(object().get()).isNull();
    }

    @Test
    void what_was_deleted_is_not_made_again() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        object().delete();

        assertThatThrownBy(() -> mine.save(SCALED))
                .isInstanceOf(JobLostException.class)
                .hasMessage("ConfigMap edl-job-mnist was deleted, and with it the job");
        assertThat(object().get()).isNull();
    }

    @Test
    void a_state_that_need_not_be_written_tells_of_another_driver_as_well() {
        JobRecord mine = JobRecord.create(ClusterApi.of(client, "test"), PLAN, NEW, "me", Optional.empty());
        takeOver("you");

        assertThatThrownBy(() -> mine.save(NEW))
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
    }

    @Test
    void what_is_being_deleted_in_the_foreground_is_not_gone_on_with() {
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
}
