/** Where tools were defined. Looked up only when an author's mistake is reported. */
const places = new WeakMap<object, { stack?: string }>();

/** Remembers the call site of the function `by`. */
export function rememberDefinitionSite(defined: object, by: (...args: never[]) => unknown): void {
  const place: { stack?: string } = {};
  // Not every runtime has it.
  (Error as { captureStackTrace?: typeof Error.captureStackTrace }).captureStackTrace?.(place, by);
  places.set(defined, place);
}

/** Creates an error about a definition, whose stack leads to its call site if known. */
export function errorAt(defined: object, message: string): Error {
  const error = new Error(message);
  const frames =
    places
      .get(defined)
      ?.stack?.split('\n')
      .filter((line) => /^ {4}at /.test(line)) ?? [];
  if (frames.length > 0) error.stack = [`Error: ${message}`, ...frames].join('\n');
  return error;
}
