package dev.edl.k8s.render;

/**
 * Thrown for a valid plan that Kubernetes would reject. The message names the job, the path of the field, its value,
 * the broken rule and a fix.
 */
public final class RenderException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public RenderException(String message) {
        super(message);
    }
}
