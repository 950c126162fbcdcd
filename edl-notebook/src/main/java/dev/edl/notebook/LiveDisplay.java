package dev.edl.notebook;

/** Output area of a notebook whose content is replaced by each update. */
@FunctionalInterface
public interface LiveDisplay {
    /**
     * Replaces the content.
     *
     * @param html for a notebook's page
     * @param text the same in one line, where no HTML is shown
     * @throws InterruptedException when the calling thread is interrupted; an interrupt must not be swallowed
     */
    void show(String html, String text) throws InterruptedException;
}
