import type { Field } from './field.ts';
import type { Json } from './json.ts';

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Parses a number input; text that is no number stays text, so that nothing is lost. */
export function parseNumber(text: string): Json | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const read = Number(typed);
  return numberPattern.test(typed) && Number.isFinite(read) ? read : text;
}

/** Parses a raw JSON input. */
export function parseJson(text: string): { value: Json | undefined } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Reads the value back from a form field. */
export function readField(field: Field): Json | undefined {
  switch (field.kind) {
    case 'text':
      return field.value === undefined ? undefined : field.text;
    case 'number':
      return typeof field.value === 'string' ? field.text : parseNumber(field.text);
    case 'choice':
      return field.options[field.index]?.value;
    case 'object':
      if (field.value === undefined && field.fields.every((each) => readField(each) === undefined)) return undefined;
      return Object.fromEntries(
        field.fields.flatMap((each) => {
          const value = readField(each);
          return value === undefined ? [] : [[String(each.path.at(-1)), value]];
        }),
      );
    case 'list':
      return field.value === undefined ? undefined : field.items.map((each) => readField(each) ?? null);
    case 'union':
      return readField(field.inner);
    case 'raw': {
      const read = parseJson(field.text);
      return 'problem' in read ? undefined : read.value;
    }
    default:
      return field.value;
  }
}
