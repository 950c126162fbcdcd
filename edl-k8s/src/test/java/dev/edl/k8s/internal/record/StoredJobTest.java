package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.stream.Stream;
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
    void a_record_has_at_most_a_hundred_refusals() {
        List<JobRequest> requests = requests(101);
        StoredJob job = refusing(requests);

        assertThat(requests.stream().filter(request -> job.refusal(request).isEmpty()))
                .containsExactly(requests.get(0));
    }
}
