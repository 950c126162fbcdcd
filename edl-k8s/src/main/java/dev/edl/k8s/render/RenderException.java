package dev.edl.k8s.render;

/**
 * Thrown for a valid plan that Kubernetes would reject. The message has the job, the path, the value, the rule and a
 * fix.
 */
public final class RenderException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public RenderException(String message) {
        super(message);
    }
}
