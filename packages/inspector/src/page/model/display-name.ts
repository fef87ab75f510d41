import type { Connection } from '../../shared/connections.ts';

type Named = Pick<Connection, 'id' | 'label' | 'kind' | 'detail' | 'server'>;

const longest = 40;

/**
 * What a connection is called on the page. An address or a whole command line is no name: the server's own is, as soon as it said one.
 * The label stays what stands in the address.
 */
export function shownName(connection: Named, all: Iterable<Named> = []): string {
  const name = ownName(connection);
  if (!isLong(connection)) return name;
  for (const other of all) {
    if (other.id !== connection.id && ownName(other) === name) return `${name} · ${brief(connection)}`;
  }
  return name;
}

function ownName(connection: Named): string {
  const { label, server } = connection;
  if (!isLong(connection)) return label;
  const said = server?.info?.name.trim() ?? '';
  if (said === '') return brief(connection);
  return `${said.slice(0, longest)}${numberOf(connection)}`;
}

function isLong({ label, kind }: Named): boolean {
  return kind === 'url' ? /^https?:\/\//i.test(label) : kind === 'command' && /^\/.*\/|\s(?!\d+$)/.test(label);
}

/** An address without its scheme; of a command the script or package that it runs. */
function brief(connection: Named): string {
  const { label, kind } = connection;
  if (!isLong(connection)) return label;
  if (kind === 'url') return label.replace(/^https?:\/\//i, '').replace(/\/(?= \d+$|$)/, '');
  const words = label.split(/\s+/);
  const script = words.slice(1).find((word) => /^[\w@./~][\w@./~:+-]*$/.test(word)) ?? words[0] ?? label;
  const name = /^[./~]/.test(script) ? (script.split('/').at(-1) ?? script) : script;
  return name.slice(0, longest);
}

/** A second connection to the same address has a number: `https://example.com/mcp 2`. */
function numberOf({ label, kind }: Named): string {
  return kind === 'url' ? (/ \d+$/.exec(label)?.[0] ?? '') : '';
}
