import type { Connection } from '../../shared/connections.ts';

type Named = Pick<Connection, 'id' | 'label' | 'kind' | 'detail' | 'server'>;

const maxLength = 40;

/**
 * Display name of a connection. A URL or command line is replaced by the server's own name once it is known; the label stays in the URL.
 */
export function displayName(connection: Named, all: Iterable<Named> = []): string {
  const name = baseName(connection);
  if (!isAddressOrCommand(connection)) return name;
  for (const other of all) {
    if (other.id !== connection.id && baseName(other) === name) return `${name} · ${shorten(connection)}`;
  }
  return name;
}

function baseName(connection: Named): string {
  const { label, server } = connection;
  if (!isAddressOrCommand(connection)) return label;
  const said = server?.info?.name.trim() ?? '';
  if (said === '') return shorten(connection);
  return `${said.slice(0, maxLength)}${numberSuffix(connection)}`;
}

function isAddressOrCommand({ label, kind }: Named): boolean {
  return kind === 'url' ? /^https?:\/\//i.test(label) : kind === 'command' && /^\/.*\/|\s(?!\d+$)/.test(label);
}

/** A URL without its scheme; of a command, the script or package that it runs. */
function shorten(connection: Named): string {
  const { label, kind } = connection;
  if (!isAddressOrCommand(connection)) return label;
  if (kind === 'url') return label.replace(/^https?:\/\//i, '').replace(/\/(?= \d+$|$)/, '');
  const words = label.split(/\s+/);
  const script = words.slice(1).find((word) => /^[\w@./~][\w@./~:+-]*$/.test(word)) ?? words[0] ?? label;
  const name = /^[./~]/.test(script) ? (script.split('/').at(-1) ?? script) : script;
  return name.slice(0, maxLength);
}

/** A second connection to the same URL has a number: `https://example.com/mcp 2`. */
function numberSuffix({ label, kind }: Named): string {
  return kind === 'url' ? (/ \d+$/.exec(label)?.[0] ?? '') : '';
}
