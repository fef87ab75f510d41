import type { Connection } from '../../shared/connections.ts';
import { shownName } from '../model/shown-name.ts';
import { withCommand } from '../palette/command-key.ts';
import { KeyRows } from '../palette/key-rows.tsx';
import { Markdown } from '../result/markdown.tsx';

const keys = [
  ['↑ ↓', 'walk through the list'],
  ['/', 'filter it'],
  [withCommand('K'), 'find everything by name'],
  ['?', 'all keys'],
] as const;

/** What the right column says before an entry is chosen: what the server tells its users, and how to go on. */
export function NothingChosen({ connection }: { connection: Connection }) {
  const { server } = connection;
  const { info, instructions } = server ?? {};
  return (
    <div class="nothing-chosen">
      <h1>
        {info?.title ?? info?.name ?? shownName(connection)} <span class="dim">{info?.version}</span>
      </h1>
      {instructions === undefined || instructions === '' ? null : <Markdown text={instructions} />}
      <dl class="keys dim">
        <KeyRows keys={keys} />
      </dl>
    </div>
  );
}
