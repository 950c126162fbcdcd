package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Complete texts, stored as files beside the tests. */
final class Golden {
    private Golden() {}

    /** Compares the text with the file; a difference shows both. */
    static void assertSame(String file, String text) {
        assertThat(text).as(file).isEqualTo(read(file));
    }

    static String read(String file) {
        try (InputStream in = Golden.class.getResourceAsStream(file)) {
            assertThat(in).as(file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
