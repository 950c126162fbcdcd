package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Libraries whose vulnerable versions ND4J requests; each line has the first version without the vulnerabilities. */
class FixedVersionsTest {

    @ParameterizedTest
    @CsvSource({
        "org.apache.commons/commons-compress, 1.26.0", // CVE-2024-25710, CVE-2024-26308
        "commons-io/commons-io, 2.14.0", // CVE-2024-47554
        "org.apache.commons/commons-lang3, 3.18.0", // CVE-2025-48924
        "commons-net/commons-net, 3.9.0", // CVE-2021-37533
    })
    void a_library_has_no_vulnerability_that_a_newer_version_fixes(String library, String fixed) throws IOException {
        assertThat(Version.parse(version(library))).isGreaterThanOrEqualTo(Version.parse(fixed));
    }

    private static String version(String library) throws IOException {
        String path = "/META-INF/maven/" + library + "/pom.properties";
        try (InputStream in = FixedVersionsTest.class.getResourceAsStream(path)) {
            assertThat(in).as(path).isNotNull();
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }
}
