package dev.edl.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lives find each defect that is planted into a machine. */
class ProtocolDefectsFoundTest {
    private static final int LIVES = 500;

    @ParameterizedTest
    @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void a_planted_defect_is_found(Defect defect) {
        OptionalLong found = LongStream.range(0, LIVES)
                .filter(seed -> !broken(seed, defect).isEmpty())
                .findFirst();

        assertThat(found).as(defect + " within " + LIVES + " lives").isPresent();
        System.out.println(defect + " is found by seed " + found.getAsLong() + ": "
                + broken(found.getAsLong(), defect).get(0));
    }

    private static List<String> broken(long seed, Defect defect) {
        return Life.of(seed, defect, false).oracle.broken;
    }
}
