package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeTest {
    private static final String FORM = "; for example mount_path=/data,claim_name=fileserver-claim";

    @Test
    void a_parsed_list_of_volumes_equals_the_typed_calls() {
        assertThat(Volume.parse("mount_path=/data,claim_name=c,sub_path=a/b; host_path=/mnt/d,mount_path=/cache,"
                        + "type=Directory,read_only=true;"))
                .containsExactly(
                        Volume.claim("c", "/data").subPath("a/b"),
                        Volume.hostPath("/mnt/d", "/cache").type("Directory").readOnly(true));
    }

    @Test
    void the_parts_can_be_asked_for() {
        Volume claim = Volume.claim("c", "/data");
        Volume host =
                Volume.hostPath("/mnt/d", "/cache/").type("File").subPath("x").readOnly(true);

        assertThat(claim.claimName()).contains("c");
        assertThat(claim.hostPath()).isEmpty();
        assertThat(claim.readOnly()).isFalse();
        assertThat(host.mountPath()).isEqualTo("/cache");
        assertThat(host.hostPath()).contains("/mnt/d");
        assertThat(host.type()).contains("File");
        assertThat(host.subPath()).contains("x");
        assertThat(host.readOnly()).isTrue();
    }

    @Test
    void the_text_is_the_grammar_and_reads_back() {
        Volume volume = Volume.hostPath("/mnt/d", "/cache").type("Directory").readOnly(true);

        assertThat(volume).hasToString("mount_path=/cache,host_path=/mnt/d,type=Directory,read_only=true");
        assertThat(Volume.parse(volume.toString())).containsExactly(volume);
        assertThat(volume).isNotEqualTo(volume.readOnly(false));
    }

    @Test
    void the_files_of_an_image_are_read_only() {
        Volume image = Volume.image("registry.example/acme/mnist@sha256:1f0e", "/app/");

        assertThat(image.image()).contains("registry.example/acme/mnist@sha256:1f0e");
        assertThat(image.claimName()).isEmpty();
        assertThat(image.hostPath()).isEmpty();
        assertThat(image.readOnly()).isTrue();
        assertThat(image).hasToString("mount_path=/app,image=registry.example/acme/mnist@sha256:1f0e,read_only=true");
        assertThat(Volume.parse("mount_path=/app,image=registry.example/acme/mnist@sha256:1f0e"))
                .containsExactly(image);
        refused(
                "mount_path=/app,image=a,read_only=false",
                "volume \"mount_path=/app,image=a,read_only=false\": read_only must be true for an image, was"
                        + " \"false\"; Kubernetes mounts images read-only");
        refused(
                "mount_path=/app,image=a b",
                "volume \"mount_path=/app,image=a b\": image must be the name of an image: perhaps a registry, a"
                        + " repository, and perhaps a tag and a digest, was \"a b\"; for example image=registry.example/acme/mnist@sha256:1f0e...");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a.example/b", "a.example/B", "a:", "a@sha256:", "/a", "a//b", "a.example/b@1f"})
    void a_name_that_is_none_of_an_image_is_refused(String image) {
        assertThatThrownBy(() -> Volume.image(image, "/app"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("image must be the name of an image")
                .hasMessageContaining("was \"" + image + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b_c--d.e:1.0-x", "localhost:5000/a@sha256:1f", "Registry.example/a/b:V1@sha256:1f"})
    void a_name_of_an_image_reads_back(String image) {
        Volume volume = Volume.image(image, "/app");

        assertThat(Volume.parse(volume.toString())).containsExactly(volume);
    }

    @Test
    void a_volume_has_a_claim_a_host_path_or_an_image() {
        refused("mount_path=/data", "volume \"mount_path=/data\": claim_name, host_path or image is missing" + FORM);
        refused(
                "mount_path=/data,claim_name=c,host_path=/d",
                "volume \"mount_path=/data,claim_name=c,host_path=/d\": claim_name and host_path are both given;"
                        + " specify only one" + FORM);
    }

    @Test
    void a_volume_has_a_mount_path() {
        refused("claim_name=c", "volume \"claim_name=c\": mount_path is missing" + FORM);
    }

    @Test
    void a_mount_path_is_absolute() {
        for (String path : new String[] {"data", "/", "/a/../b", "/a:b"}) {
            refused(
                    "mount_path=" + path + ",claim_name=c",
                    "volume \"mount_path=" + path + ",claim_name=c\": mount_path must be an absolute path below /"
                            + " without \"..\" or \":\", was \"" + path + "\"; for example mount_path=/data");
        }
    }

    @Test
    void names_and_paths_have_their_forms() {
        refused(
                "mount_path=/d,claim_name=My_Claim",
                "volume \"mount_path=/d,claim_name=My_Claim\": claim_name must be the name of a PersistentVolumeClaim:"
                        + " lower-case letters, digits, dashes and dots, was \"My_Claim\"; for example"
                        + " claim_name=fileserver-claim");
        refused(
                "mount_path=/d,host_path=mnt",
                "volume \"mount_path=/d,host_path=mnt\": host_path must be an absolute path without \"..\", was"
                        + " \"mnt\"; for example host_path=/mnt/disk1");
        refused(
                "mount_path=/d,claim_name=c,sub_path=/x",
                "volume \"mount_path=/d,claim_name=c,sub_path=/x\": sub_path must be a relative path without \"..\", was"
                        + " \"/x\"; for example sub_path=mnist");
        refused(
                "mount_path=/d,claim_name=c,read_only=yes",
                "volume \"mount_path=/d,claim_name=c,read_only=yes\": read_only must be true or false, was \"yes\";"
                        + " for example read_only=true");
    }

    @Test
    void a_type_is_one_of_kubernetes_and_of_a_host_path() {
        refused(
                "mount_path=/d,host_path=/m,type=Directry",
                "volume \"mount_path=/d,host_path=/m,type=Directry\": type \"Directry\" is not a type of Kubernetes;"
                        + " did you mean \"Directory\"?");
        refused(
                "mount_path=/d,claim_name=c,type=File",
                "volume \"mount_path=/d,claim_name=c,type=File\": type requires host_path; for example"
                        + " mount_path=/cache,host_path=/mnt/disk1,type=Directory");
    }

    @Test
    void keys_are_known_and_given_once() {
        refused(
                "mountpath=/d,claim_name=c",
                "volume \"mountpath=/d,claim_name=c\": unknown key \"mountpath\"; did you mean \"mount_path\"?");
        refused(
                "mount_path=/d,claim_name=c,claim_name=d",
                "volume \"mount_path=/d,claim_name=c,claim_name=d\": claim_name is given twice; give each key once");
        refused("/data", "volume \"/data\": \"/data\" must have the form key=value" + FORM);
    }

    @Test
    void an_empty_entry_is_refused_except_after_the_last_semicolon() {
        refused("", "volume must not be empty, was \"\"" + FORM);
        refused(";mount_path=/d,claim_name=c", "volume must not be empty, was \";mount_path=/d,claim_name=c\"" + FORM);
    }

    @Test
    void typed_calls_have_the_same_rules() {
        assertThatThrownBy(() -> Volume.claim("c", "data"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "volume \"claim_name=c,mount_path=data\": mount_path must be an absolute path below / without"
                                + " \"..\" or \":\", was \"data\"; for example mount_path=/data");
        assertThatThrownBy(() -> Volume.claim("c", "/data").type("File"))
                .hasMessageContaining("type requires host_path");
    }

    private static void refused(String text, String message) {
        assertThatThrownBy(() -> Volume.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
