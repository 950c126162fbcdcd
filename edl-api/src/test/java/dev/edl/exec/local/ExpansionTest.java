package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases of k8s.io/kubernetes/third_party/forked/golang/expansion. */
class ExpansionTest {
    private static final Map<String, String> ENV = Map.of("A", "x", "B", "$(A)", "EMPTY", "");

    @ParameterizedTest
    @CsvSource({
        "$(A), x",
        "-$(A)-$(A)-, -x-x-",
        "$(B), $(A)",
        "$(EMPTY)|, |",
        "$(NONE), $(NONE)",
        "$$(A), $(A)",
        "$$$(A), $x",
        "$$$$(A), $$(A)",
        "$A, $A",
        "$$A, $A",
        "a$, a$",
        "$(A, $(A",
        "$(), $()",
        "$($(A)), $($(A))",
    })
    void a_reference_is_replaced_as_kubernetes_does(String word, String expected) {
        assertThat(Expansion.of(word, ENV)).isEqualTo(expected);
    }
}
