package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ExitCodePolicyTest {
    @Test
    void elasticdl_s_policy_has_137_free_70_fatal_and_75_temporary() {
        assertThat(ExitCodePolicy.ELASTICDL).hasToString("ExitCodePolicy[free=[137], fatal=[70], temporary=[75, 143]]");
    }

    @Test
    void a_policy_of_two_sets_has_no_temporary_codes() {
        assertThat(new ExitCodePolicy(Set.of(75), Set.of(70)))
                .isEqualTo(new ExitCodePolicy(Set.of(75), Set.of(70), Set.of()));
    }

    @Test
    void a_code_is_in_one_set() {
        refused(Set.of(5), Set.of(5), Set.of(), "exit code 5 cannot be both free and fatal");
        refused(Set.of(6), Set.of(), Set.of(6), "exit code 6 cannot be both free and temporary");
        refused(Set.of(), Set.of(7), Set.of(7), "exit code 7 cannot be both fatal and temporary");
    }

    @Test
    void a_code_lies_between_1_and_255() {
        refused(Set.of(), Set.of(), Set.of(256), "temporary exit codes lie between 1 and 255, for example 75; was 256");
        refused(Set.of(0), Set.of(), Set.of(), "free exit codes lie between 1 and 255, for example 137; was 0");
        refused(Set.of(), Set.of(-1), Set.of(), "fatal exit codes lie between 1 and 255, for example 70; was -1");
    }

    private static void refused(Set<Integer> free, Set<Integer> fatal, Set<Integer> temporary, String message) {
        assertThatThrownBy(() -> new ExitCodePolicy(free, fatal, temporary))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
