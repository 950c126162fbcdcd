package dev.edl.k8s;

import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.function.Predicate;

/** Replies of a mock server to the reviews of a submitter's own name and permissions. */
public final class SubmitReviews {
    private SubmitReviews() {}

    /**
     * Sets the replies.
     *
     * @param user name of the submitter
     * @param allowed answers access reviews, by the text of the review
     */
    public static void answer(KubernetesMockServer server, String user, Predicate<String> allowed) {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReply(
                        201,
                        request -> new SelfSubjectAccessReviewBuilder()
                                .withNewStatus()
                                .withAllowed(allowed.test(request.getBody().readUtf8()))
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
                                .withUsername(user)
                                .endUserInfo()
                                .endStatus()
                                .build())
                .always();
    }
}
