package dev.edl.k8s.render;

/**
 * A plan that is sound but that Kubernetes would not take as it is; the message names the job, the path, the value, the
 * rule and a way out.
 */
public final class RenderException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A refusal. */
    public RenderException(String message) {
        super(message);
    }
}
