package dev.edl.k8s.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lives find each past defect of EDL when it is reintroduced. */
class DefectsFoundTest {
    private static final int LIVES = 100;

    @ParameterizedTest
    @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void a_reintroduced_defect_is_found(Defect defect) {
        OptionalLong found = LongStream.range(0, LIVES)
                .filter(seed -> !Life.of(seed, defect, false).oracle.broken.isEmpty())
                .findFirst();

        assertThat(found).as(defect + " within " + LIVES + " lives").isPresent();
        Life life = Life.of(found.getAsLong(), defect, false);
        System.out.println(defect + " is found by seed " + found.getAsLong() + ": " + life.oracle.broken.get(0));
    }
}
