package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Expected texts are those of GNU diff -u, 3.10, without its two lines of file names. */
class UnifiedDiffTest {
    private static String numbers(int from, int to) {
        return String.join(
                        "\n",
                        IntStream.rangeClosed(from, to)
                                .mapToObj(Integer::toString)
                                .toList()) + "\n";
    }

    @Test
    void equal_texts_have_no_difference() {
        assertThat(UnifiedDiff.of(numbers(1, 9), numbers(1, 9))).isEmpty();
        assertThat(UnifiedDiff.of("", "")).isEmpty();
    }

    @Test
    void a_changed_line_has_three_lines_of_context() {
        assertThat(UnifiedDiff.of(numbers(1, 20), numbers(1, 20).replace("10\n", "ten\n")))
                .isEqualTo("""
                @@ -7,7 +7,7 @@
                 7
                 8
                 9
                -10
                +ten
                 11
                 12
                 13
                """);
    }

    @Test
    void changes_far_apart_have_a_hunk_each_and_near_ones_share_one() {
        String after = numbers(1, 20).replace("\n2\n", "\ntwo\n").replace("\n17\n", "\n");
        assertThat(UnifiedDiff.of(numbers(1, 20), after)).isEqualTo("""
                @@ -1,5 +1,5 @@
                 1
                -2
                +two
                 3
                 4
                 5
                @@ -14,7 +14,6 @@
                 14
                 15
                 16
                -17
                 18
                 19
                 20
                """);
        assertThat(UnifiedDiff.of(
                        numbers(1, 9), numbers(1, 9).replace("2\n", "two\n").replace("8\n", "")))
                .isEqualTo("""
                        @@ -1,9 +1,8 @@
                         1
                        -2
                        +two
                         3
                         4
                         5
                         6
                         7
                        -8
                         9
                        """);
    }

    @Test
    void a_text_out_of_nothing_and_into_nothing() {
        assertThat(UnifiedDiff.of("", "a\nb\n")).isEqualTo("@@ -0,0 +1,2 @@\n+a\n+b\n");
        assertThat(UnifiedDiff.of("a\n", "")).isEqualTo("@@ -1 +0,0 @@\n-a\n");
    }

    @Test
    void a_long_run_is_shortened_so_that_added_lines_stay_visible() {
        assertThat(UnifiedDiff.of(numbers(1, 1000), numbers(2001, 2021)))
                .isEqualTo("@@ -1,1000 +1,21 @@\n"
                        + lines('-', 1, 10) + "  ... 980 more removed\n" + lines('-', 991, 1000)
                        + lines('+', 2001, 2010) + "  ... 1 more added\n" + lines('+', 2012, 2021));
        assertThat(UnifiedDiff.of("", numbers(1, 20))).isEqualTo("@@ -0,0 +1,20 @@\n" + lines('+', 1, 20));
    }

    private static String lines(char sign, int from, int to) {
        return (sign + numbers(from, to).stripTrailing().replace("\n", "\n" + sign)) + "\n";
    }

    @Test
    void hunks_applied_to_the_one_text_give_the_other() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<String> before = lines(random);
            List<String> after = new ArrayList<>(before);
            for (int change = random.nextInt(6); change > 0; change--) {
                after.add(random.nextInt(after.size() + 1), "new" + change);
                after.remove(random.nextInt(after.size()));
            }
            String diff = UnifiedDiff.of(String.join("\n", before) + "\n", String.join("\n", after) + "\n");
            assertThat(patched(before, diff)).as("seed %s\n%s", seed, diff).isEqualTo(after);
        }
    }

    @Test
    void cost_grows_with_differences_and_unrelated_texts_are_replaced() {
        String many = numbers(1, 50_000);
        assertThat(UnifiedDiff.of(many, "0\n" + many)).isEqualTo("@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n");
        assertThat(UnifiedDiff.of(numbers(1, 3_000), numbers(3_001, 6_000)))
                .startsWith("@@ -1,3000 +1,3000 @@\n-1\n-2\n")
                .endsWith("+5999\n+6000\n");
    }

    @Test
    void too_many_changes_compare_line_by_line() {
        String before = "first\n" + numbers(1, 3_000) + "last\n";
        String after = "first\n" + numbers(3_001, 6_000) + "last\n";
        assertThat(UnifiedDiff.of(before, after))
                .startsWith("@@ -1,3002 +1,3002 @@\n first\n-1\n-2\n")
                .endsWith("+5999\n+6000\n last\n");
    }

    private static List<String> lines(Random random) {
        return IntStream.range(0, 1 + random.nextInt(40))
                .mapToObj(i -> "line " + random.nextInt(12))
                .toList();
    }

    private static List<String> patched(List<String> before, String diff) {
        List<String> after = new ArrayList<>();
        int at = 0;
        for (String line : diff.lines().toList()) {
            if (line.startsWith("@@")) {
                String[] range = line.substring(4, line.indexOf(" +")).split(",");
                int from = Integer.parseInt(range[0]) - (range.length == 2 && range[1].equals("0") ? 0 : 1);
                after.addAll(before.subList(at, from));
                at = from;
            } else {
                if (line.charAt(0) != '+') {
                    assertThat(before.get(at++)).isEqualTo(line.substring(1));
                }
                if (line.charAt(0) != '-') {
                    after.add(line.substring(1));
                }
            }
        }
        after.addAll(before.subList(at, before.size()));
        return after;
    }
}
