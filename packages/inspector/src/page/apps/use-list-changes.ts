import { useEffect, useRef } from 'preact/hooks';
import { useEntries } from '../model/entries.ts';
import { useWorld } from '../model/store.ts';
import type { ShownApp } from './app-instance.ts';

/** Tells a view that lists of its server are others than when it was shown, once the page has them. */
export function useListChanges(app: ShownApp | undefined, connection: string): void {
  const { lists } = useWorld('lists');
  const version = (kind: string) => lists.get(`${connection}/${kind}`)?.version;
  useChange(app, 'tools', useEntries(connection, 'tools'));
  useChange(app, 'resources', `${version('resources')} ${version('templates')}`);
  useChange(app, 'prompts', version('prompts'));
}

function useChange(app: ShownApp | undefined, list: 'tools' | 'resources' | 'prompts', now: unknown): void {
  const told = useRef({ app, now });
  useEffect(() => {
    const isSame = told.current.app === app && told.current.now === now;
    const isFirst = told.current.app !== app || told.current.now === undefined;
    told.current = { app, now };
    if (!isSame && !isFirst) app?.view.listChanged(list);
  }, [app, now]);
}
