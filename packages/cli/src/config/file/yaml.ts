import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';
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

/** YAML, in blocks or in braces. */
export const yaml: Syntax = withDepthLimit({ read, set, remove, leaves });

interface Style {
  eol: string;
  unit: number;
}

function read(text: string): unknown {
  return parse(text).toJS() ?? undefined;
}

function set(text: string, path: Path, value: unknown): string {
  const document = parse(text);
  let node: unknown = document.contents;
  const style = { eol: lineEnding(text), unit: unitOf(text, document) };
  if (isEmptyNode(node)) return createDocument(text, nest(path, value), style);
  let outer = 0;
  for (const [depth, key] of path.entries()) {
    const rest = nest(path.slice(depth + 1), value);
    if (isEmptyNode(node) || (isMap(node) && node.items.length === 0)) {
      return applyEdits(text, insertionIntoEmpty(text, node, { [key]: rest }, outer + style.unit, style));
    }
    if (!isMap(node))
      throw new NotEditableError(depth === 0 ? 'the file must hold a map' : `"${path[depth - 1]}" must be a map`);
    const pair = pairAt(node, key);
    if (pair === undefined) return applyEdits(text, [insertion(text, node, { [key]: rest }, style)]);
    outer = columnOf(text, startOf(pair.key));
    if (depth === path.length - 1) return applyEdits(text, [replacement(text, node, pair, { [key]: value }, style)]);
    node = pair.value;
  }
  return text;
}

function remove(text: string, path: Path): string {
  let map: unknown = parse(text).contents;
  let parent: Pair | undefined;
  for (const key of path.slice(0, -1)) {
    parent = isMap(map) ? pairAt(map, key) : undefined;
    map = parent?.value;
  }
  const pair = isMap(map) ? pairAt(map, path.at(-1) ?? '') : undefined;
  return isMap(map) && pair !== undefined ? applyEdits(text, removal(text, map, pair, parent)) : text;
}

function leaves(text: string): Leaf[] {
  const found: Leaf[] = [];
  const visit = (node: unknown, path: readonly (string | number)[]): void => {
    if (isMap(node)) for (const { key, value } of node.items) visit(value, [...path, keyOf(key)]);
    else if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    else if (isScalar(node) && node.range) {
      const end = contentEnd(text, node.range[1]);
      if (end > node.range[0]) found.push({ path, value: node.value, start: node.range[0], end });
    }
  };
  visit(parse(text).contents, []);
  return found;
}

function parse(text: string): Document {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error === undefined) return document;
  if (error.message.startsWith('Maximum call stack')) throw new RangeError(error.message);
  const [position] = error.linePos ?? [];
  const [problem = error.code] = error.message.split(/ at line |:?\n/);
  throw new ConfigSyntaxError(position?.line ?? 1, position?.col ?? 1, problem);
}

function createDocument(text: string, value: unknown, style: Style): string {
  const end = contentEnd(text, text.length);
  const block = render(value, 0, style);
  return end === 0 ? block + style.eol : text.slice(0, end) + style.eol + block + (text.slice(end) || style.eol);
}

/** Inserts the first key into an empty or missing map. */
function insertionIntoEmpty(text: string, node: unknown, value: object, column: number, style: Style): Edit[] {
  const [start, end] = rangeOf(node);
  const stop = lineStop(text, end);
  return [
    { start: end > start ? contentEnd(text, start) : start, end, text: '' },
    { start: stop, end: stop, text: style.eol + render(value, column, style) },
  ];
}

function insertion(text: string, map: YAMLMap, value: object, style: Style): Edit {
  const last = map.items.at(-1) as Pair;
  if (map.flow) {
    const end = endOf(last);
    return { start: end, end, text: `, ${renderFlow(value)}` };
  }
  const column = columnOf(text, startOf(map.items[0]?.key));
  const end = endOf(last);
  const block = render(value, column, style);
  if (text[end - 1] === '\n') return { start: end, end, text: block + style.eol };
  const offset = afterComments(text, lineStop(text, end), column);
  return { start: offset, end: offset, text: style.eol + block };
}

/** Skips the comments below the last entry with the same indentation: they belong to it. */
function afterComments(text: string, offset: number, column: number): number {
  const comments = new RegExp(`(?:\\s*\\n[ ]{${column},}#[^\\r\\n]*)*`, 'y');
  comments.lastIndex = offset;
  return offset + (comments.exec(text)?.[0].length ?? 0);
}

function replacement(text: string, map: YAMLMap, pair: Pair, value: object, style: Style): Edit {
  const start = startOf(pair.key);
  const end = endOf(pair);
  if (map.flow) return { start, end, text: renderFlow(value) };
  const block = render(value, columnOf(text, start), style).trimStart();
  return { start, end, text: text[end - 1] === '\n' ? block + style.eol : block };
}

function removal(text: string, map: YAMLMap, pair: Pair, parent: Pair | undefined): Edit[] {
  const index = map.items.indexOf(pair);
  const start = startOf(pair.key);
  const end = endOf(pair);
  if (map.flow) {
    const before = map.items[index - 1];
    const after = map.items[index + 1];
    if (before !== undefined) return [{ start: endOf(before), end, text: '' }];
    if (after !== undefined) return [{ start, end: startOf(after.key), text: '' }];
    const [open, close] = rangeOf(map);
    return [{ start: open, end: close, text: '{}' }];
  }
  const first = lineStart(text, start);
  const lineBefore = first === 0 ? 0 : lineStop(text, lineStart(text, first - 1));
  const whole =
    text[end - 1] === '\n'
      ? { start: first, end, text: '' }
      : { start: lineBefore, end: lineStop(text, end), text: '' };
  if (map.items.length > 1 || parent === undefined) return [whole];
  // A key without a value would be null, which is not the same as empty.
  const colon = text.indexOf(':', rangeOf(parent.key)[1]) + 1;
  return [{ start: colon, end: colon, text: ' {}' }, whole];
}

function unitOf(text: string, document: Document): number {
  if (!isMap(document.contents)) return 2;
  const blocks = document.contents.items.map(({ value }) => value).filter((value) => isMap(value) && !value.flow);
  const [block] = blocks as YAMLMap[];
  const unit = block === undefined ? 0 : columnOf(text, startOf(block.items[0]?.key));
  return unit > 0 ? unit : 2;
}

function render(value: unknown, column: number, { eol, unit }: Style): string {
  const lines = stringify(value, { indent: unit, lineWidth: 0, blockQuote: false }).replace(/\n$/, '').split('\n');
  return lines.map((line) => (line === '' ? line : ' '.repeat(column) + line)).join(eol);
}

/** JSON is YAML too. */
function renderFlow(members: object): string {
  return Object.entries(members)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ');
}

function nest(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function pairAt(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyOf(pair.key) === key);
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function isEmptyNode(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

/** The end of the last item in a node; the range of a block may include comments that follow it. */
function endOf(node: unknown): number {
  if ((isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1));
  if (isPair(node)) return node.value === null ? endOf(node.key) : endOf(node.value);
  return rangeOf(node)[1];
}

function startOf(key: unknown): number {
  return rangeOf(key)[0];
}

function rangeOf(node: unknown): [number, number] {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  if (!range) throw new NotEditableError('a part of the file has no place of its own');
  return [range[0], range[1]];
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
