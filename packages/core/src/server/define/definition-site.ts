/** Where tools were defined. Looked up only when an author's mistake is reported. */
const places = new WeakMap<object, { stack?: string }>();

/** Remembers from where the function `by` was called to define something. */
export function rememberDefinitionSite(defined: object, by: (...args: never[]) => unknown): void {
  const place: { stack?: string } = {};
  // Not every runtime has it.
  (Error as { captureStackTrace?: typeof Error.captureStackTrace }).captureStackTrace?.(place, by);
  places.set(defined, place);
}

/** An error about something that was defined elsewhere: its stack leads there, where that is known. */
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
