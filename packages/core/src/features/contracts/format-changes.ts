import { escapeUnseen, truncate } from '../../jsonrpc/text.ts';
import type { DefinitionChange } from './change.ts';

/** The maximum length of a name or sentence. */
const maxLength = 300;

/**
 * Formats changes for people, one target after the other. What servers wrote is escaped: nothing in it reaches the
 * terminal or fakes a line.
 */
export function formatChanges(changes: readonly DefinitionChange[]): string {
  const targets = [...new Set(changes.map(({ target }) => target))];
  return targets
    .map((target) => {
      const own = changes.filter((change) => change.target === target);
      return [brief(target), ...own.flatMap(formatChange)].join('\n');
    })
    .join('\n\n');
}

/** The name of what changed, such as `tool add_note`. */
export function formatItem({ item, name }: Pick<DefinitionChange, 'item' | 'name'>): string {
  return name === '' ? item : `${item} ${brief(name)}`;
}

function formatChange(change: DefinitionChange): string[] {
  const { kind, path, text, before, after } = change;
  const place = path === '' ? '' : ` (${brief(path)})`;
  return [
    `  ${kind.padEnd(10)}  ${formatItem(change)}: ${brief(text)}${place}`,
    ...(before === undefined || before === '' ? [] : [`      - ${oneLine(before)}`]),
    ...(after === undefined || after === '' ? [] : [`      + ${oneLine(after)}`]),
  ];
}

function brief(text: string): string {
  return truncate(oneLine(text), maxLength);
}

/** Escapes line breaks and tabs too. */
function oneLine(text: string): string {
  return escapeUnseen(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
