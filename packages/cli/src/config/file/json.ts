// Imported by path: the main file of the package is in a format that can't be bundled.
import {
  createScanner,
  getNodePath,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser/lib/esm/main.js';
import { type Leaf, ConfigSyntaxError, type Path, type Syntax, NotEditableError, withDepthLimit } from './syntax.ts';
import {
  applyEdits,
  isFirstOnLine,
  contentEnd,
  type Edit,
  indentationAt,
  lineEnding,
  lineStop,
  positionOf,
} from './syntax.ts';

/** JSON with comments and trailing commas, as most editors accept it. */
export const json: Syntax = withDepthLimit({ read, set, remove, leaves });

interface Member {
  key: string;
  value: Node;
  start: number;
  end: number;
}

/** How a file is laid out. */
interface Style {
  eol: string;
  unit: string;
}

function read(text: string): unknown {
  const root = parseNodes(text);
  return root === undefined ? undefined : getNodeValue(root);
}

function set(text: string, path: Path, value: unknown): string {
  const root = parseNodes(text);
  if (root === undefined) return createDocument(text, nest(path, value));
  const style = styleOf(text, root);
  let node = root;
  for (const [depth, key] of path.entries()) {
    const object = objectAt(node, path.slice(0, depth));
    const member = membersOf(object).findLast((candidate) => candidate.key === key);
    if (member === undefined) {
      return applyEdits(text, insertion(text, object, key, nest(path.slice(depth + 1), value), style));
    }
    node = member.value;
  }
  const isInline =
    !isFirstOnLine(text, node.parent?.offset ?? 0) && !text.slice(node.offset, endOf(node)).includes('\n');
  const replacement = isInline ? JSON.stringify(value) : render(value, indentationAt(text, node.offset), style);
  return applyEdits(text, [{ start: node.offset, end: endOf(node), text: replacement }]);
}

function remove(text: string, path: Path): string {
  let node = parseNodes(text);
  for (const key of path.slice(0, -1)) {
    node = node && membersOf(node).findLast((member) => member.key === key)?.value;
  }
  const index = node === undefined ? -1 : membersOf(node).findLastIndex(({ key }) => key === path.at(-1));
  if (node === undefined || index === -1) return text;
  // Repeats, because a key may occur twice.
  return remove(applyEdits(text, removal(text, node, index)), path);
}

function leaves(text: string): Leaf[] {
  const found: Leaf[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'object') for (const { value } of membersOf(node)) visit(value);
    else if (node.type === 'array') for (const child of node.children ?? []) visit(child);
    else found.push({ path: getNodePath(node), value: node.value, start: node.offset, end: endOf(node) });
  };
  const root = parseNodes(text);
  if (root !== undefined) visit(root);
  return found;
}

/** A value of a JSON text: its position and content. */
export type JsonNode = Node;

/** Parses a text to its nodes; undefined if it is empty. Throws `ConfigSyntaxError`. */
export function parseNodes(text: string): JsonNode | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error === undefined) return root;
  const { line, column } = positionOf(text, error.offset);
  const words = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  throw new ConfigSyntaxError(line, column, words.toLowerCase());
}

function createDocument(text: string, value: unknown): string {
  const style = { eol: lineEnding(text), unit: '  ' };
  const document = render(value, '', style) + style.eol;
  if (text.trim() === '') return document;
  return text + (text.endsWith('\n') ? '' : style.eol) + document;
}

function insertion(text: string, object: Node, key: string, value: unknown, style: Style): Edit[] {
  const close = endOf(object) - 1;
  const outer = indentationAt(text, object.offset);
  const last = membersOf(object).at(-1);
  if (last === undefined) {
    const end = contentEnd(text, close);
    const inner = `${outer}${style.unit}`;
    const member = `${style.eol}${inner}${JSON.stringify(key)}: ${render(value, inner, style)}`;
    if (end > object.offset + 1 && text.slice(end, close).includes('\n')) return [{ start: end, end, text: member }];
    return [{ start: end, end: close, text: `${member}${style.eol}${outer}` }];
  }
  if (!text.slice(object.offset, close).includes('\n')) {
    const blank = /[:,]\s/.test(text.slice(object.offset, close)) ? ' ' : '';
    const member = `,${blank}${JSON.stringify(key)}:${blank}${JSON.stringify(value)}`;
    return [{ start: last.end, end: last.end, text: member }];
  }
  const inner = isFirstOnLine(text, last.start) ? indentationAt(text, last.start) : `${outer}${style.unit}`;
  const member = `${style.eol}${inner}${JSON.stringify(key)}: ${render(value, inner, style)}`;
  const end = contentEnd(text, close);
  if (commaAfter(text, last.end) !== undefined) return [{ start: end, end, text: `${member},` }];
  return [
    { start: last.end, end: last.end, text: ',' },
    { start: end, end, text: member },
  ];
}

function removal(text: string, object: Node, index: number): Edit[] {
  const members = membersOf(object);
  const member = members[index] as Member;
  const open = object.offset + 1;
  const close = endOf(object) - 1;
  const comma = commaAfter(text, member.end);
  const end = comma === undefined ? member.end : comma + 1;
  const before = text.slice(members[index - 1]?.end ?? open, member.start);
  const behind = text.slice(end, lineStop(text, end)).trim();
  // A comment behind the member stays on its line, and nothing may end up behind a comment of the line before.
  const keepsLine = behind.startsWith('/') || (behind !== '' && before.includes('//'));
  const start = keepsLine && isFirstOnLine(text, member.start) ? member.start : contentEnd(text, member.start);
  const edits: Edit[] = [{ start, end, text: '' }];
  if (members.length === 1) {
    const isBare = (text.slice(open, start) + text.slice(end, close)).trim() === '';
    return isBare ? [{ start: open, end: close, text: '' }] : edits;
  }
  if (index === members.length - 1 && comma === undefined) {
    const separator = commaAfter(text, (members[index - 1] as Member).end) as number;
    edits.push({ start: separator, end: separator + 1, text: '' });
  }
  return edits;
}

function styleOf(text: string, root: Node): Style {
  const first = membersOf(root).find(({ start }) => isFirstOnLine(text, start));
  const indentation = first === undefined ? '' : indentationAt(text, first.start);
  return { eol: lineEnding(text), unit: indentation === '' ? '  ' : indentation };
}

function render(value: unknown, indentation: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit)
    .split('\n')
    .join(eol + indentation);
}

function nest(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function objectAt(node: Node, path: Path): Node {
  if (node.type === 'object') return node;
  throw new NotEditableError(
    path.length === 0 ? 'the file must hold an object' : `"${path.join('.')}" must be an object`,
  );
}

function membersOf(object: Node): Member[] {
  if (object.type !== 'object') return [];
  return (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    return [{ key: String(key.value), value, start: property.offset, end: endOf(property) }];
  });
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
