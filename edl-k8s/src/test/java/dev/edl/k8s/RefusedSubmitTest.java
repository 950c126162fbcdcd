package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.junit.jupiter.api.Test;

@MockCluster
class RefusedSubmitTest {
    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static final Job JOB = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .workers(1)
            .tensorflow()
            .build();

    private void lacks(String right) {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReply(
                        201,
                        request -> new SelfSubjectAccessReviewBuilder()
                                .withNewStatus()
                                .withAllowed(!request.getBody().readUtf8().contains(right))
                                .endStatus()
                                .build())
                .always();
        server.expect()
                .post()
                .withPath("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                .andReturn(
                        201,
                        new SelfSubjectReviewBuilder()
                                .withNewStatus()
                                .withNewUserInfo()
                                .withUsername("jane")
                                .endUserInfo()
                                .endStatus()
                                .build())
                .always();
    }

    @Test
    void a_submit_without_a_right_is_refused_with_the_line_that_grants_it() {
        lacks("\"configmaps\",\"verb\":\"create\"");
        Refused.create(
                        server,
                        "configmaps",
                        403,
                        "Forbidden",
                        "configmaps is forbidden: User \"jane\" cannot create resource \"configmaps\" in API group \"\" in the"
                                + " namespace \"test\"")
                .always();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.submit(JOB))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(403))
                    .hasMessageStartingWith("job \"mnist\" was not submitted: ")
                    .hasMessageContaining("User \"jane\" cannot create resource \"configmaps\"")
                    .hasMessageEndingWith(
                            "\nA person who may grant rights in namespace \"test\" grants what is missing by:\n"
                                    + "$ kubectl create role edl-mnist-configmaps-create --namespace test --verb=create"
                                    + " --resource=configmaps && kubectl create rolebinding edl-mnist-configmaps-create"
                                    + " --namespace test --role=edl-mnist-configmaps-create --user=jane");
        }
    }

    @Test
    void a_submit_that_a_quota_refuses_is_told_as_it_is() {
        lacks("\"configmaps\"");
        Refused.create(server, "configmaps", 403, "Forbidden", "configmaps is forbidden: exceeded quota: few")
                .always();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.submit(JOB))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("exceeded quota: few")
                    .hasMessageNotContaining("kubectl");
        }
    }
}
