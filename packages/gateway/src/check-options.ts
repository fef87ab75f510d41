import type { RemoteOptions } from './remote-options.ts';

/** Throws a `TypeError` with advice if the options of a remote are invalid. */
export function checkOptions(options: RemoteOptions): void {
  const { name, target, credentials, uriPrefix = '', describe = {}, args = {} } = options;
  if (typeof name !== 'string' || name === '')
    throw new TypeError('remote: "name" must be a text: the upstream is called by it');
  if (typeof target !== 'object' || target === null) {
    throw new TypeError('remote: "target" must be { command, args }, { url }, { server } or { connect }');
  }
  if (credentials !== undefined && !('url' in target)) {
    throw new TypeError('remote: "credentials" are for a target with a URL: a process has its own for all callers');
  }
  if (uriPrefix !== '' && !/^[A-Za-z][A-Za-z0-9.-]*\+$/.test(uriPrefix)) {
    throw new TypeError(
      `remote: "uriPrefix" must be letters, digits, "." or "-", and a "+" at its end, such as "files+"`,
    );
  }
  checkOverrides('describe', describe, (value) => typeof value === 'string', 'a text');
  checkOverrides('args', args, isPlainObject, 'an object with the values of arguments, such as { repo: "docs" }');
}

function checkOverrides(option: string, values: object, isValid: (value: unknown) => boolean, expected: string): void {
  if (!isPlainObject(values))
    throw new TypeError(`remote: "${option}" must be an object, by the names of tools upstream`);
  for (const [name, value] of Object.entries(values)) {
    if (isValid(value)) continue;
    throw new TypeError(`remote: "${option}" of the tool ${JSON.stringify(name.slice(0, 100))} must be ${expected}`);
  }
}

function isPlainObject(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}
