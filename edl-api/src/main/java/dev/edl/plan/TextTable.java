package dev.edl.plan;

import java.util.List;

/** Formats rows of text as aligned columns, separated by three spaces; the last column is not padded. */
final class TextTable {
    private TextTable() {}

    /**
     * Returns one line for each row, without trailing blanks.
     *
     * @param rows rows with equal numbers of cells
     * @param indent text before each line
     */
    static String of(List<List<String>> rows, String indent) {
        if (rows.isEmpty()) {
            return "";
        }
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 3));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
