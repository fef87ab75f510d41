import { useEffect, useRef } from 'preact/hooks';
import { useEntries } from '../model/entries.ts';
import { useAppState } from '../model/store.ts';
import type { AppInstance } from './app-instance.ts';

/** Tells a view that lists of its server are others than when it was shown, once the page has them. */
export function useListChanges(app: AppInstance | undefined, connection: string): void {
  const { lists } = useAppState('lists');
  const version = (kind: string) => lists.get(`${connection}/${kind}`)?.version;
  useChange(app, 'tools', useEntries(connection, 'tools'));
  useChange(app, 'resources', `${version('resources')} ${version('templates')}`);
  useChange(app, 'prompts', version('prompts'));
}

function useChange(app: AppInstance | undefined, list: 'tools' | 'resources' | 'prompts', now: unknown): void {
  const lastSent = useRef({ app, now });
  useEffect(() => {
    const isSame = lastSent.current.app === app && lastSent.current.now === now;
    const isFirst = lastSent.current.app !== app || lastSent.current.now === undefined;
    lastSent.current = { app, now };
    if (!isSame && !isFirst) app?.view.listChanged(list);
  }, [app, now]);
}
