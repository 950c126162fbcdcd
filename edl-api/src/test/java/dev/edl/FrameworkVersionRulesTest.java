package dev.edl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameworkVersionRulesTest {
    private static void refused(JobBuilder builder, String mistake) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidJobException.class)
                .hasMessage("job \"mnist\": " + mistake);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "2.x", "v2.15", "2.15.", "", "latest", "2.15 "})
    void a_framework_s_version_is_numbers(String version) {
        refused(
                Job.named("mnist").tensorflow(version).workers(1),
                "frameworkVersion must be two to four numbers with dots between them, optionally followed by"
                        + " letters, was \"" + version + "\"; for example tensorflow(\"2.15\")");
    }

    @Test
    void an_elasticdl_job_has_no_framework_s_version() {
        refused(
                Job.named("mnist").master().workers(1).frameworkVersion("0.3"),
                "frameworkVersion must be left out, was \"0.3\"; an elasticdl job has EDL's own runtime");
    }
}
