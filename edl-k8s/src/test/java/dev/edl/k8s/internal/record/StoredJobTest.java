package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class StoredJobTest {
    private static StoredJob refusing(List<JobRequest> requests) {
        StoredJob job = new StoredJob(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("edl-job-mnist")
                .endMetadata()
                .build());
        for (JobRequest request : requests) {
            job = new StoredJob(job.requesting(request));
        }
        for (JobRequest request : requests) {
            job = new StoredJob(job.refusing(request, "reason of " + request.what()));
        }
        return job;
    }

    private static List<JobRequest> requests(int number) {
        return Stream.generate(() -> JobRequest.scale("worker", 9))
                .limit(number)
                .toList();
    }

    @Test
    void a_refusal_before_the_last_ten_is_kept_without_its_reason() {
        List<JobRequest> requests = requests(12);
        StoredJob job = refusing(requests);

        assertThat(job.requests()).isEmpty();
        assertThat(requests.stream().map(job::refusal).limit(2))
                .allSatisfy(why -> assertThat(why)
                        .contains("the driver refused the request, and at least 10 later ones; the record has only the"
                                + " reasons of the last 10"));
        assertThat(requests.stream().map(job::refusal).skip(2))
                .allSatisfy(why -> assertThat(why).contains("reason of scale worker 9"));
    }

    @Test
    void a_state_of_another_format_is_refused_with_its_record() throws IOException {
        PackedColumnWriter columns = new PackedColumnWriter();
        columns.number(2);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(columns.bytes());
        }
        StoredJob job = new StoredJob(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("edl-job-mnist")
                .withNamespace("test")
                .endMetadata()
                .addToBinaryData("state.gz", Base64.getEncoder().encodeToString(bytes.toByteArray()))
                .build());

        assertThatThrownBy(job::state)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ConfigMap edl-job-mnist of namespace test, state.gz: the state of a job must be of format"
                        + " 1, was 2; a newer EDL wrote it, or it is not the state of a job");
    }

    @Test
    void a_record_has_at_most_a_hundred_refusals() {
        List<JobRequest> requests = requests(101);
        StoredJob job = refusing(requests);

        assertThat(requests.stream().filter(request -> job.refusal(request).isEmpty()))
                .containsExactly(requests.get(0));
    }
}
