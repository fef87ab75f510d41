import { toOneLine } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/columns.ts';

/** Rows as lines with aligned columns: numbers to the right, texts to the left. Cells may come from a server. */
export function toTable(rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => toOneLine(String(cell))));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((width, row) => Math.max(width, textWidth(row[column] ?? '')), 0),
  );
  const isNumber = widths.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - textWidth(cell));
        return isNumber[column] ? `${space}${cell}` : `${cell}${space}`;
      })
      .join('  ')
      .trimEnd(),
  );
}
