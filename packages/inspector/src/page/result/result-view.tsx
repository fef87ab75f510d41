import { useState } from 'preact/hooks';
import { isRecord, type Json, tryParseJson } from '../../shared/json.ts';
import { MoreButton, Tabs } from '../components/controls.tsx';
import { ContentView, parseContent } from '../content/content-view.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { Markdown } from '../content/markdown.tsx';

const rowsPerBatch = 200;

/** Finds a list of objects to show as a table: the value itself, or its only list. */
function findTable(value: Json | undefined): readonly Readonly<Record<string, Json>>[] | undefined {
  if (Array.isArray(value)) {
    const rows = value as readonly Json[];
    return rows.length > 0 && rows.every(isRecord) ? (rows as readonly Readonly<Record<string, Json>>[]) : undefined;
  }
  if (!isRecord(value)) return undefined;
  const lists = Object.values(value as Readonly<Record<string, Json>>).filter(Array.isArray);
  return lists.length === 1 ? findTable(lists[0]) : undefined;
}

/** Objects as table rows. */
function TableView({ rows }: { rows: readonly Readonly<Record<string, Json>>[] }) {
  const [most, setMost] = useState(rowsPerBatch);
  const columns = [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))];
  return (
    <div class="table-scroll">
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
                  {formatCell(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <MoreButton count={rows.length - most} onClick={() => setMost(most + rowsPerBatch)} />
    </div>
  );
}

function formatCell(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
type View = 'content' | 'markdown' | 'tree' | 'table' | 'raw';

/** A result as content, Markdown, tree, table or raw JSON. */
export function ResultView({ result, isFailure }: { result: Json; isFailure: boolean }) {
  const contents = parseContent(result);
  const structured = isRecord(result)
    ? ((result as Readonly<Record<string, Json>>).structuredContent ?? parseJsonText(contents))
    : undefined;
  const rows = findTable(structured);
  const texts = contents.flatMap(({ text }) => text ?? []);
  const [view, setView] = useState<View>(contents.length > 0 && structured === undefined ? 'content' : 'tree');
  const names: (readonly [View, string])[] = [
    ...(contents.length > 0 ? ([['content', 'Content']] as const) : []),
    ...(texts.length > 0 ? ([['markdown', 'Markdown']] as const) : []),
    ['tree', 'Tree'],
    ...(rows === undefined ? [] : ([['table', `Table ${rows.length}`]] as const)),
    ['raw', 'Raw'],
  ];
  return (
    <div class={`result ${isFailure ? 'is-failure' : ''}`}>
      <Tabs label="Result as" names={names} chosen={view} onChoose={setView} />
      <div class="result-body">
        {view === 'content' ? contents.map((content, index) => <ContentView key={index} content={content} />) : null}
        {view === 'markdown' ? texts.map((text, index) => <Markdown key={index} text={text} />) : null}
        {view === 'tree' ? <JsonTree value={structured ?? result} depth={3} /> : null}
        {view === 'table' && rows !== undefined ? <TableView rows={rows} /> : null}
        {view === 'raw' ? <pre class="raw">{JSON.stringify(result, undefined, 2)}</pre> : null}
      </div>
    </div>
  );
}

/** Many tools return JSON as their only text. */
function parseJsonText(contents: ReturnType<typeof parseContent>): Json | undefined {
  const [only] = contents;
  if (contents.length !== 1 || only?.text === undefined || !/^\s*[[{]/.test(only.text)) return undefined;
  return tryParseJson(only.text);
}
