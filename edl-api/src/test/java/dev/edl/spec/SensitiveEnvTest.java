package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SensitiveEnvTest {
    @Test
    void a_name_with_the_word_of_a_secret_is_sensitive() {
        assertThat(List.of(
                        "AWS_SECRET_ACCESS_KEY",
                        "AWS_ACCESS_KEY_ID",
                        "HF_TOKEN",
                        "WANDB_API_KEY",
                        "OPENAI_APIKEY",
                        "db_password",
                        "MYSQL_PASSWD",
                        "SSH_PASSPHRASE",
                        "API_TOKENS",
                        "REGISTRY_CREDENTIALS"))
                .allMatch(SensitiveEnv::isSensitive);
    }

    @Test
    void a_name_that_contains_such_a_word_or_a_location_is_not() {
        assertThat(List.of(
                        "TOKENIZERS_PARALLELISM",
                        "KEYSPACE",
                        "MONKEY",
                        "KERAS_BACKEND",
                        "SECRET_NAME",
                        "AWS_WEB_IDENTITY_TOKEN_FILE",
                        "SSL_KEY_PATH",
                        "GOOGLE_APPLICATION_CREDENTIALS",
                        "_",
                        ""))
                .noneMatch(SensitiveEnv::isSensitive);
    }

    @Test
    void numbers_flags_and_nothing_are_shown() {
        assertThat(SensitiveEnv.shown(Map.of(
                        "MAX_TOKENS", "512",
                        "SORT_KEY", "-0.5",
                        "USE_TOKEN", "False",
                        "HF_TOKEN", "",
                        "API_KEY", "0123456789",
                        "BATCH", "64")))
                .containsExactly(
                        Map.entry("API_KEY", "***"),
                        Map.entry("BATCH", "64"),
                        Map.entry("HF_TOKEN", ""),
                        Map.entry("MAX_TOKENS", "512"),
                        Map.entry("SORT_KEY", "-0.5"),
                        Map.entry("USE_TOKEN", "False"));
    }
}
