package dev.edl.exec.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {
    // The cases of TestHumanDuration in k8s.io/apimachinery/pkg/util/duration, and the seeds' 116s and 2m3s.
    @ParameterizedTest
    @CsvSource({
        "PT-2S, <invalid>",
        "PT-1.999S, 0s",
        "PT0S, 0s",
        "PT35S, 35s",
        "PT116S, 116s",
        "PT119S, 119s",
        "PT2M, 2m",
        "PT2M3S, 2m3s",
        "PT9M59S, 9m59s",
        "PT10M, 10m",
        "PT10M1S, 10m",
        "PT179M59S, 179m",
        "PT3H, 3h",
        "PT3H20M, 3h20m",
        "PT7H59M, 7h59m",
        "PT8H, 8h",
        "PT47H, 47h",
        "PT48H, 2d",
        "PT49H, 2d1h",
        "PT191H, 7d23h",
        "PT192H, 8d",
        "PT17520H, 2y",
        "PT17519H, 729d",
        "PT17544H, 2y1d",
        "PT70080H, 8y",
    })
    void ages_are_printed_as_kubectl_does(Duration age, String text) {
        assertThat(HumanDuration.of(age)).isEqualTo(text);
    }
}
