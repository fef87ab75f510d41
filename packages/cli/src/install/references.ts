import { UsageError } from '../command/usage-error.ts';

/** Named texts, such as the headers or the environment of an entry. */
type Texts = Readonly<Record<string, string>>;

// `${env:NAME}` and `${NAME}` refer to the environment of the client. Editors have other things in
// braces too, in small letters.
const variable = String.raw`\$\{(?:env:(?=[A-Za-z_])|(?=[A-Z_][A-Z0-9_]*\}))(\w+)\}`;
const reference = new RegExp(variable, 'g');
const wholeReference = new RegExp(`^${variable}$`);
const bearerReference = new RegExp(`^[Bb]earer ${variable}$`);

/** Texts with their references written as a client writes them. */
export function writeReferences(texts: Texts, write: (variable: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, text.replaceAll(reference, (_, name: string) => write(name))]),
  );
}

/** The names of all variables that texts refer to, each once. */
export function variablesIn(texts: Texts): string[] {
  const names = Object.values(texts).flatMap((text) => Array.from(text.matchAll(reference), ([, name = '']) => name));
  return [...new Set(names)];
}

/** The variable that holds the token of an `Authorization` header, and the other headers. */
export function bearerVariable(headers: Texts): { bearer: string | undefined; others: Record<string, string> } {
  const isBearer = ([key, text]: [string, string]) => /^authorization$/i.test(key) && bearerReference.test(text);
  const [, text = ''] = Object.entries(headers).find(isBearer) ?? [];
  const others = Object.fromEntries(Object.entries(headers).filter((pair) => !isBearer(pair)));
  return { bearer: bearerReference.exec(text)?.[1], others };
}

/** Rejects references for a client that substitutes none: it would pass them on literally. */
export function rejectReferences(texts: Texts, title: string): Record<string, string> {
  return requireNoReference(texts, (key) => `${title} fills in no variables: give ${key} its value itself`);
}

/** Splits texts into literal values and names of variables. */
export function splitByVariable(
  texts: Texts,
  title: string,
): { given: Record<string, string>; held: Record<string, string> } {
  const found = Object.entries(texts).map(([key, text]) => [key, text, wholeReference.exec(text)?.[1]] as const);
  const given = Object.fromEntries(found.filter(([, , name]) => name === undefined));
  const held = Object.fromEntries(found.flatMap(([key, , name]) => (name === undefined ? [] : [[key, name]])));
  return {
    given: requireNoReference(given, (key) => `${title} takes a variable as a whole value only: ${key} has more in it`),
    held,
  };
}

/** The variables that a client passes to a server under their own names. */
export function passedVariables(held: Texts, title: string): string[] {
  const [renamed] = Object.entries(held).filter(([key, name]) => key !== name);
  if (renamed === undefined) return Object.values(held);
  const [key, name] = renamed;
  throw new UsageError(`${title} hands variables on under their own names only: ${key} can't be ${name}`);
}

function requireNoReference(texts: Texts, problem: (key: string) => string): Record<string, string> {
  const [key] = Object.entries(texts).find(([, text]) => text.search(reference) !== -1) ?? [];
  if (key === undefined) return { ...texts };
  throw new UsageError(problem(key));
}
