package dev.edl.notebook;

/** Output area of a notebook whose content is replaced by each update. */
@FunctionalInterface
public interface LiveDisplay {
    /**
     * Replaces the displayed content.
     *
     * @param html content for a notebook's page
     * @param text short plain-text form of the content, for a place that shows no HTML
     * @throws InterruptedException when the calling thread is interrupted; an interrupt must not be swallowed
     */
    void show(String html, String text) throws InterruptedException;
}
