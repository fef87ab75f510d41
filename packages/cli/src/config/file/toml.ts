import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import {
  type Leaf,
  ConfigSyntaxError,
  type Path,
  type Syntax,
  NotEditableError,
  withDepthLimit,
  applyEdits,
  contentEnd,
  type Edit,
  lineEnding,
  lineStart,
  lineStop,
} from './syntax.ts';

/** TOML; each entry is a table. */
export const toml: Syntax = withDepthLimit({ read, set, remove, leaves });

/** A part of the file that belongs to one key. A table may have several. */
type Piece =
  | { kind: 'table'; path: Keys; node: AST.TOMLTable }
  | { kind: 'line'; path: Keys; node: AST.TOMLKeyValue }
  | { kind: 'member'; path: Keys; node: AST.TOMLKeyValue; within: AST.TOMLInlineTable };

type Keys = readonly (string | number)[];

function read(text: string): unknown {
  return getStaticTOMLValue(parse(text));
}

function set(text: string, path: Path, value: unknown): string {
  const parent = path.slice(0, -1);
  const table = parent.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], read(text));
  if (table !== undefined && (table === null || typeof table !== 'object' || Array.isArray(table))) {
    throw new NotEditableError(`"${parent.join('.')}" must be a table`);
  }
  const eol = lineEnding(text);
  const block = renderTable(path, value, eol);
  const pieces = piecesOf(text, path);
  const [piece] = pieces;
  if (pieces.length === 1 && piece?.kind === 'table') {
    const [start, end] = piece.node.range;
    return applyEdits(text, [{ start, end, text: block }]);
  }
  if (pieces.length > 0) return set(remove(text, path), path, value);
  const inline = inlineTableAt(text, parent);
  if (inline !== undefined) return applyEdits(text, [memberInsertion(inline, path, value)]);
  const siblings = parse(text).body[0].body.filter(
    (node): node is AST.TOMLTable => node.type === 'TOMLTable' && startsWith(node.resolvedKey, parent),
  );
  const last = siblings.at(-1);
  const offset = last === undefined ? contentEnd(text, text.length) : lineStop(text, last.range[1]);
  if (offset === 0) return block + eol;
  return applyEdits(text, [{ start: offset, end: offset, text: eol + eol + block }]);
}

function remove(text: string, path: Path): string {
  return applyEdits(
    text,
    piecesOf(text, path).map((piece) => removal(text, piece)),
  );
}

function leaves(text: string): Leaf[] {
  const found: Leaf[] = [];
  const visit = (node: AST.TOMLContentNode, path: Keys): void => {
    if (node.type === 'TOMLArray') {
      for (const [index, element] of node.elements.entries()) visit(element, [...path, index]);
    } else if (node.type === 'TOMLInlineTable') {
      for (const each of node.body) visit(each.value, [...path, ...keysOf(each)]);
    } else {
      found.push({ path, value: node.value, start: node.range[0], end: node.range[1] });
    }
  };
  for (const node of parse(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') visit(node.value, keysOf(node));
    else for (const each of node.body) visit(each.value, [...node.resolvedKey, ...keysOf(each)]);
  }
  return found;
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw new ConfigSyntaxError(error.lineNumber, error.column + 1, error.message);
    throw error;
  }
}

function piecesOf(text: string, path: Path): Piece[] {
  const found: Piece[] = [];
  const lookInto = (node: AST.TOMLKeyValue, before: Keys, within?: AST.TOMLInlineTable) => {
    const full = [...before, ...keysOf(node)];
    if (startsWith(full, path)) {
      found.push(within ? { kind: 'member', path: full, node, within } : { kind: 'line', path: full, node });
    } else if (startsWith(path, full) && node.value.type === 'TOMLInlineTable') {
      for (const each of node.value.body) lookInto(each, full, node.value);
    }
  };
  for (const node of parse(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') lookInto(node, []);
    else if (startsWith(node.resolvedKey, path)) found.push({ kind: 'table', path: node.resolvedKey, node });
    else for (const each of node.body) lookInto(each, node.resolvedKey);
  }
  return found;
}

function inlineTableAt(text: string, path: Path): AST.TOMLInlineTable | undefined {
  const whole = piecesOf(text, path).find((piece) => piece.path.length === path.length);
  return whole?.kind !== 'table' && whole?.node.value.type === 'TOMLInlineTable' ? whole.node.value : undefined;
}

function memberInsertion(table: AST.TOMLInlineTable, path: Path, value: unknown): Edit {
  const member = `${renderKey(path.at(-1) ?? '')} = ${render(value)}`;
  const last = table.body.at(-1);
  if (last === undefined) return { start: table.range[0], end: table.range[1], text: `{ ${member} }` };
  return { start: last.range[1], end: last.range[1], text: `, ${member}` };
}

function removal(text: string, piece: Piece): Edit {
  const [start, end] = piece.node.range;
  if (piece.kind === 'line') return { start: lineStart(text, start), end: nextLine(text, end), text: '' };
  if (piece.kind === 'table') {
    const before = contentEnd(text, start);
    const isFirst = before === 0;
    // Blanks at the end of the line before were there before the table.
    const from = isFirst ? 0 : lineStop(text, before);
    const to = lineStop(text, end);
    return { start: from, end: isFirst ? text.length - text.slice(to).trimStart().length : to, text: '' };
  }
  const { body, range } = piece.within;
  const index = body.indexOf(piece.node);
  const before = body[index - 1];
  const after = body[index + 1];
  if (before !== undefined) return { start: before.range[1], end, text: '' };
  if (after !== undefined) return { start, end: after.range[0], text: '' };
  return { start: range[0], end: range[1], text: '{}' };
}

function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

function startsWith(path: Keys, beginning: Keys): boolean {
  return beginning.every((key, index) => path[index] === key);
}

function keysOf(node: { key: AST.TOMLKey }): string[] {
  return node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
}

function renderTable(path: Path, value: unknown, eol: string): string {
  const lines = Object.entries(value as object).map(([key, inner]) => `${renderKey(key)} = ${render(inner)}`);
  return [`[${path.map(renderKey).join('.')}]`, ...lines].join(eol);
}

function render(value: unknown): string {
  if (typeof value === 'string') return renderString(value);
  if (Array.isArray(value)) return `[${value.map(render).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${render(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function renderKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : renderString(key);
}

/** TOML escapes like JSON, and DEL too. */
function renderString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
