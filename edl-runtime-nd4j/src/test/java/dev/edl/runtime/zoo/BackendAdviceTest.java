package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendAdviceTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86_64",
        "Linux, aarch64, linux-arm64",
        "Mac OS X, x86_64, macosx-x86_64",
        "Mac OS X, aarch64, macosx-arm64",
        "Windows 11, amd64, windows-x86_64",
    })
    void knows_the_classifier_of_a_machine(String osName, String osArch, String classifier) {
        assertThat(BackendAdvice.classifier(osName, osArch)).contains(classifier);
    }

    @Test
    void shows_the_lines_for_the_pom() {
        assertThat(BackendAdvice.of(new LinkageError("broken"), "Linux", "aarch64"))
                .isEqualTo("""
                        the ND4J backend on the class path does not start (java.lang.LinkageError: broken); EDL leaves the choice \
                        of a backend to the program that uses it. For the CPU of this machine (Linux aarch64) add to the pom:
                          <dependency><groupId>org.nd4j</groupId><artifactId>nd4j-native</artifactId><version>1.0.0-M2.1</version></dependency>
                          <dependency><groupId>org.nd4j</groupId><artifactId>nd4j-native</artifactId><version>1.0.0-M2.1</version><classifier>linux-arm64</classifier></dependency>
                          <dependency><groupId>org.bytedeco</groupId><artifactId>openblas</artifactId><version>0.3.19-1.5.7</version><classifier>linux-arm64</classifier></dependency>
                          <dependency><groupId>org.bytedeco</groupId><artifactId>javacpp</artifactId><version>1.5.7</version><classifier>linux-arm64</classifier></dependency>
                        or as Maven coordinates (%maven of a notebook, a resolver):
                          org.nd4j:nd4j-native:1.0.0-M2.1 org.nd4j:nd4j-native:jar:linux-arm64:1.0.0-M2.1 \
                        org.bytedeco:openblas:jar:linux-arm64:0.3.19-1.5.7 org.bytedeco:javacpp:jar:linux-arm64:1.5.7
                        or, in Gradle, in which the classifier is last: org.nd4j:nd4j-native:1.0.0-M2.1:linux-arm64 and so on
                        """);
    }

    @Test
    void says_when_nothing_is_published_for_a_machine() {
        assertThat(BackendAdvice.of(new LinkageError("broken"), "Linux", "riscv64"))
                .isEqualTo(
                        "the ND4J backend on the class path does not start (java.lang.LinkageError: broken); EDL leaves the"
                                + " choice of a backend to the program that uses it. nd4j-native 1.0.0-M2.1 is published for"
                                + " linux-x86_64, linux-arm64, macosx-x86_64, macosx-arm64 and windows-x86_64, but not for this"
                                + " machine (Linux riscv64)");
    }

    @Test
    void advises_the_versions_that_the_library_is_built_with() throws IOException {
        assertThat(Files.readString(Path.of("..", "pom.xml")))
                .contains("<nd4j.version>" + BackendAdvice.ND4J + "</nd4j.version>")
                .contains("<openblas.version>" + BackendAdvice.OPENBLAS + "</openblas.version>")
                .contains("<javacpp.version>" + BackendAdvice.JAVACPP + "</javacpp.version>");
    }
}
