import { formatPointer } from '../../../schema/problems.ts';

/** The maximum texts of a definition, and characters of all of them. */
const maxTexts = 20_000;
const maxCharacters = 1_000_000;
const maxTextLength = 100_000;

/** A text of a definition. */
export interface Text {
  readonly path: string;
  readonly value: string;
  /** The name of the member that it is, or is in. */
  readonly role: string;
  /** It names something, so that it is no place for sentences. */
  readonly isName: boolean;
}

/** The texts of a definition, whose size is bounded. */
export function collectTexts(definition: unknown): Text[] {
  const texts: Text[] = [];
  const queue: { value: unknown; path: string; role: string }[] = [{ value: definition, path: '', role: '' }];
  let characters = 0;
  for (const { value, path, role } of queue) {
    if (typeof value === 'string') {
      characters += value.length;
      if (characters > maxCharacters) break;
      texts.push({ path, value: value.slice(0, maxTextLength), role, isName: nameRoles.has(role) });
    } else if (typeof value === 'object' && value !== null && queue.length < maxTexts) {
      for (const [key, each] of Object.entries(value)) {
        const at = path + formatPointer([key]);
        if (Array.isArray(value)) queue.push({ value: each, path: at, role });
        else {
          if (isNamedByAuthor(role))
            texts.push({ path: at, value: key.slice(0, maxTextLength), role: 'property', isName: true });
          queue.push({ value: each, path: at, role: key });
        }
      }
    }
  }
  return texts;
}

const nameRoles: ReadonlySet<string> = new Set([
  'name',
  'title',
  'enum',
  'default',
  'const',
  'required',
  'type',
  'pattern',
  'format',
  'uri',
  'uriTemplate',
  'mimeType',
  'examples',
]);

function isNamedByAuthor(role: string): boolean {
  return (
    role === 'properties' ||
    role === 'patternProperties' ||
    role === '$defs' ||
    role === 'definitions' ||
    role === '_meta'
  );
}
