package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ResultLineTest {
    @Test
    void name_ratio_and_goal_are_separated_by_tabs_and_conditions_follow() {
        ResultLine result = new ResultLine("shard.sgd.copy", 1.5234, 1.45, "7 rounds");
        assertThat(result).hasToString("shard.sgd.copy\t1.523\t1.45\t# 7 rounds");
        assertThat(ResultLine.parse(result.toString())).isEqualTo(result);
    }

    @Test
    void what_is_printed_is_what_is_compared() {
        assertThat(new ResultLine("a", 1.4496, 1.45, "").good()).isTrue();
        assertThat(new ResultLine("a", 1.4494, 1.45, "").good()).isFalse();
    }

    @Test
    void refuses_a_line_that_is_none() {
        assertThatThrownBy(() -> ResultLine.parse("a 1.0"))
                .hasMessage("a line must be name, ratio, goal and # conditions, separated by tabs, was \"a 1.0\"");
    }
}
