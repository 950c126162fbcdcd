package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.engine.RuntimeEngineProvider;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class EngineProviderTest {
    @Test
    void the_engine_is_found_although_the_threads_class_loader_does_not_know_it() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader empty = new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(empty);

            assertThat(EngineProvider.installed()).isInstanceOf(RuntimeEngineProvider.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
