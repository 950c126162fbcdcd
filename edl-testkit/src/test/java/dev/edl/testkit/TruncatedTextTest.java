package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.Job;
import dev.edl.plan.Profile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TruncatedTextTest {
    private static final String TEN = "0123456789";

    @Test
    void a_text_above_four_hundred_characters_loses_its_middle() {
        assertThat(TruncatedText.cut(TEN.repeat(40))).isEqualTo(TEN.repeat(40));
        assertThat(TruncatedText.cut(TEN.repeat(20) + "x" + TEN.repeat(20)))
                .isEqualTo(TEN.repeat(20) + " ...(1 more)... " + TEN.repeat(20));
    }

    @Test
    void of_two_long_texts_the_part_is_shown_that_differs() {
        String before = TEN.repeat(50) + "old" + TEN.repeat(60);
        String after = TEN.repeat(50) + "young" + TEN.repeat(60);
        assertThat(TruncatedText.cut(before, after))
                .isEqualTo(" ...(420 more)... " + TEN.repeat(8) + "old" + TEN.repeat(8) + " ...(520 more)... ");
        assertThat(TruncatedText.cut(after, before))
                .isEqualTo(" ...(420 more)... " + TEN.repeat(8) + "young" + TEN.repeat(8) + " ...(520 more)... ");
        assertThat(TruncatedText.cut("a", before)).isEqualTo("a");
    }

    @Test
    void a_long_text_that_differs_all_over_loses_its_middle() {
        assertThat(TruncatedText.cut("a".repeat(1000), "b".repeat(900)))
                .isEqualTo("a".repeat(200) + " ...(600 more)... " + "a".repeat(200));
        assertThat(TruncatedText.cut("a".repeat(1000), "a".repeat(1001))).hasSizeLessThan(500);
    }

    @Test
    void a_message_on_a_large_cluster_is_short_and_shows_what_differs() {
        Job job = Job.named("big").tensorflow().ps(1).workers(1000).build();
        ReplicaAssert worker = assertThat(job.plan(Profile.KUBEFLOW_V1)).replica("worker", 3);
        String lost = " ...(N more)... ";
        String before = "2222\",\"big-worker-498.default.svc:2222\",\"big-worker-499.default.svc:2222\",\"big-w";
        String after = "ker-500.default.svc:2222\",\"big-worker-501.default.svc:2222\",\"big-worker-502.defa";
        worker.env(
                "TF_CONFIG",
                was -> assertThat(catchThrowable(
                                () -> worker.hasEnv("TF_CONFIG", was.replace("worker-500.", "walker-500."))))
                        .extracting(failure ->
                                String.valueOf(failure.getMessage()).replaceAll("\\(\\d+ more\\)", "(N more)"))
                        .isEqualTo("replica big-worker-3 (worker 3): expected variable TF_CONFIG=" + lost + before
                                + "al" + after + lost + ", was " + lost + before + "or" + after + lost));
    }

    @Test
    void a_long_list_is_shown_with_its_size() {
        Job job = Job.named("big").mxnet().scheduler().servers(1).workers(5000).build();
        // 10 addresses of 41 characters with their quotes, 90 of 42, 900 of 43, 4000 of 44, and ", " between them.
        int characters = 10 * 41 + 90 * 42 + 900 * 43 + 4000 * 44 + 4999 * 2;
        String address = "\"elasticdl-big-worker-%s.default.svc:9091\"";
        String first = IntStream.range(0, 5)
                .mapToObj(address::formatted)
                .collect(Collectors.joining(", "))
                .substring(0, 200);
        String last = IntStream.range(4995, 5000).mapToObj(address::formatted).collect(Collectors.joining(", "));
        fails(
                () -> assertThat(job.plan()).hasEndpoints("worker", "w:1"),
                "plan of job \"big\": expected endpoints of worker \"w:1\", was " + first + " ...(" + (characters - 400)
                        + " more)... " + last.substring(last.length() - 200) + " (5000 in all)");
    }

    @Test
    void thirty_names_are_listed_and_the_nearest_of_all_is_suggested() {
        var builder = Job.named("big").runId("r1");
        IntStream.range(0, 100).forEach(i -> builder.label("label" + (1000 + i), "x"));
        Job job = builder.master().workers(1).build();
        String names = String.join(
                ", ", IntStream.range(0, 30).mapToObj(i -> "label" + (1000 + i)).toList());
        fails(
                () -> assertThat(job).hasLabel("label1077x", "x"),
                "job \"big\": expected label label1077x=\"x\", but there is no label1077x; did you mean \"label1077\"? There"
                        + " are " + names + " and 70 more");
    }
}
