package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Any text is either rejected with an {@link IllegalArgumentException} or parsed, and a parsed value survives a round
 * trip through its text.
 *
 * <p>A build runs the inputs under {@code src/test/resources}; {@code junit-platform.properties} there describes how to
 * search for others, one test at a time.
 */
class EnvFuzzTest {
    private static final String BOUND = "60s";

    @FuzzTest(maxDuration = BOUND)
    void tf_config(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        read(() -> TfConfig.parse(text)).ifPresent(config -> {
            TfConfig again = TfConfig.parse(config.json());
            assertThat(again).isEqualTo(config);
            assertThat(again.cluster()).isEqualTo(config.cluster());
            assertThat(again.json()).isEqualTo(config.json());
        });
    }

    @FuzzTest(maxDuration = BOUND)
    void mx_config(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        read(() -> MxConfig.parse(text))
                .ifPresent(config -> assertThat(MxConfig.parse(config.json())).isEqualTo(config));
    }

    @FuzzTest(maxDuration = BOUND)
    void horovod_hosts(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        read(() -> HorovodHosts.parse(text)).ifPresent(hosts -> {
            for (String again : List.of(hosts.hostfile(), hosts.lines(), hosts.argument(), hosts.script())) {
                assertThat(HorovodHosts.parse(again)).isEqualTo(hosts);
            }
        });
    }

    @FuzzTest(maxDuration = BOUND)
    void horovod_elastic(FuzzedDataProvider data) {
        List<String> words = Arrays.asList(data.consumeRemainingAsString().split(" ", -1));
        read(() -> HorovodElastic.parse(words)).ifPresent(elastic -> {
            assertThat(HorovodElastic.parse(elastic.arguments())).isEqualTo(elastic);
            assertThat(HorovodElastic.parse(Arrays.asList(elastic.toString().split(" ", -1))))
                    .isEqualTo(elastic);
        });
    }

    @FuzzTest(maxDuration = BOUND)
    void variables(FuzzedDataProvider data) {
        Map<String, String> env = variables(data.consumeRemainingAsString());
        read(() -> DmlcEnv.parse(env))
                .ifPresent(dmlc -> assertThat(DmlcEnv.parse(dmlc.variables())).isEqualTo(dmlc));
        read(() -> TorchrunEnv.parse(env))
                .ifPresent(torchrun ->
                        assertThat(TorchrunEnv.parse(torchrun.variables())).isEqualTo(torchrun));
        read(() -> ElasticDlEnv.parse(env))
                .ifPresent(elasticDl ->
                        assertThat(ElasticDlEnv.parse(elasticDl.variables())).isEqualTo(elasticDl));
    }

    private static <T> Optional<T> read(Supplier<T> parsing) {
        try {
            return Optional.of(parsing.get());
        } catch (IllegalArgumentException e) {
            assertThat(e).message().isNotBlank();
            return Optional.empty();
        }
    }

    /** Lines {@code NAME=value}. */
    private static Map<String, String> variables(String text) {
        Map<String, String> env = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                env.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return env;
    }
}
