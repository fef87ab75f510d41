const label = '[a-z](?:[a-z0-9-]*[a-z0-9])?';
const name = '[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?';
const syntax = new RegExp(`^${label}(?:\\.${label})*/${name}$`, 'i');

/** Throws if an extension is a function: `tasks` instead of `tasks()`. */
export function checkIsNoMaker(extension: unknown): void {
  if (typeof extension !== 'function') return;
  const call = `${extension.name === '' ? 'it' : extension.name}()`;
  throw new TypeError(`There is a function among "extensions", and an extension is what it gives: write ${call}`);
}

/** Throws if an extension id is not `prefix/name`. */
export function checkExtensionId(id: unknown): void {
  if (typeof id === 'string' && syntax.test(id)) return;
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 100)) : String(id);
  throw new TypeError(
    `${shown} is no id of an extension: write a domain that you own, reversed, then a slash and a name, such as "com.example/tickets"`,
  );
}
