import { Buffer } from 'node:buffer';
import { limits } from '../limits.ts';

const maxTemplateBytes = limits.ccmcp.template.value;
const maxOutputBytes = limits.ccmcp.filledIn.value;
const maxPlaceholders = limits.ccmcp.placeholders.value;
const maxNameLength = limits.ccmcp.placeholder.value;

/** A template, or the values for it, can't be used; the message says why and what to do. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/** Text with gaps to fill in. */
export interface TextTemplate {
  /** The names of the gaps, each once, in the order in which they stand. */
  readonly placeholders: readonly string[];
  /** The text with every gap filled. Values go in as they are: braces in them are not read again. */
  render(values: Record<string, string>): string;
}

type Piece = { readonly text: string } | { readonly placeholder: string };

/** Reads a template such as `Hello, {name}!`; `{{` and `}}` stand for braces that are meant as such. */
export function parseTextTemplate(template: string): TextTemplate {
  if (Buffer.byteLength(template) > maxTemplateBytes) {
    throw new TemplateError('The template is larger than 64 KiB; shorten it');
  }
  const pieces = parsePieces(template);
  const names = pieces.flatMap((piece) => ('placeholder' in piece ? [piece.placeholder] : []));
  const placeholders = [...new Set(names)];
  if (placeholders.length > maxPlaceholders) {
    throw new TemplateError(`The template has ${placeholders.length} placeholders; use at most ${maxPlaceholders}`);
  }
  return { placeholders, render: (values) => fill(pieces, values) };
}

function parsePieces(template: string): Piece[] {
  const pieces: Piece[] = [];
  const brace = /[{}]/g;
  let at = 0;
  for (let found = brace.exec(template); found !== null; found = brace.exec(template)) {
    const { index } = found;
    pieces.push({ text: template.slice(at, index) });
    if (template[index + 1] === found[0]) {
      pieces.push({ text: found[0] });
      at = index + 2;
    } else if (found[0] === '{') {
      const placeholder = parseName(template, index);
      pieces.push({ placeholder });
      at = index + placeholder.length + 2;
    } else {
      throw new TemplateError(`'}' at position ${index} closes nothing: write '}}' for a literal brace`);
    }
    brace.lastIndex = at;
  }
  pieces.push({ text: template.slice(at) });
  return pieces;
}

function parseName(template: string, open: number): string {
  const close = template.indexOf('}', open);
  if (close === -1) {
    throw new TemplateError(`'{' at position ${open} is never closed: add '}', or write '{{' for a literal brace`);
  }
  const name = template.slice(open + 1, close);
  if (name.length > maxNameLength || !/^[A-Za-z_]\w*$/.test(name)) {
    const problem = name === '' ? 'is empty' : `is not a name (${JSON.stringify(name.slice(0, 40))})`;
    throw new TemplateError(
      `The placeholder at position ${open} ${problem}: use letters, digits and '_', not starting with a digit, ` +
        `at most ${maxNameLength} in all, or write '{{' and '}}' for literal braces`,
    );
  }
  return name;
}

function fill(pieces: readonly Piece[], values: Record<string, string>): string {
  const written: string[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const text = 'text' in piece ? piece.text : valueOf(piece.placeholder, values);
    bytes += Buffer.byteLength(text);
    if (bytes > maxOutputBytes) throw new TemplateError('The filled-in text is larger than 1 MiB; use shorter values');
    written.push(text);
  }
  return written.join('');
}

function valueOf(name: string, values: Record<string, string>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new TemplateError(`There is no value for the placeholder '${name}': give one`);
  return value;
}
