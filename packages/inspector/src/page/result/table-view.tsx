import { useState } from 'preact/hooks';
import { isRecord, type Json } from '../form/json.ts';

const atOnce = 200;

/** The list of objects in a value that is best shown as a table: the value itself, or the only list in it. */
export function tableIn(value: Json | undefined): readonly Readonly<Record<string, Json>>[] | undefined {
  if (Array.isArray(value)) {
    const rows = value as readonly Json[];
    return rows.length > 0 && rows.every(isRecord) ? (rows as readonly Readonly<Record<string, Json>>[]) : undefined;
  }
  if (!isRecord(value)) return undefined;
  const lists = Object.values(value as Readonly<Record<string, Json>>).filter(Array.isArray);
  return lists.length === 1 ? tableIn(lists[0]) : undefined;
}

/** Objects as rows, their names as columns. */
export function TableView({ rows }: { rows: readonly Readonly<Record<string, Json>>[] }) {
  const [most, setMost] = useState(atOnce);
  const columns = [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))];
  return (
    <div class="table-place">
      <table class="data">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} class={typeof row[column] === 'number' ? 'number' : ''}>
                  {cell(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most ? (
        <button type="button" class="quiet" onClick={() => setMost(most + atOnce)}>
          {rows.length - most} more …
        </button>
      ) : null}
    </div>
  );
}

function cell(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
