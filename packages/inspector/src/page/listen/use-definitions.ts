import { useEffect, useState } from 'preact/hooks';
import { addresses } from '../../shared/addresses.ts';
import type { Numbered } from '../../shared/events.ts';
import type { ChangedDefinition, ListState } from '../../shared/lists.ts';
import { get } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';

/** How changed entries were and are, as far as that has come. */
interface Got {
  readonly definitions?: readonly ChangedDefinition[];
  /** Why there is nothing. */
  readonly problem?: string;
}

/** How the entries were and are that changed with this version of a list: got when they are wanted, or in the recording. */
export function useDefinitions({ n, changes }: ListState & Numbered): Got {
  const [loaded, setLoaded] = useState<Got>({});
  const isRecorded = openedRecording.value !== undefined;
  useEffect(() => {
    if (isRecorded) return;
    get<{ text: string }>(addresses.message(n)).then(
      ({ text }) => setLoaded({ definitions: JSON.parse(text) as readonly ChangedDefinition[] }),
      () => setLoaded({ problem: 'How it was is not known any more: older changes are given up to bound memory.' }),
    );
  }, [n, isRecorded]);
  if (!isRecorded) return loaded;
  const { definitions } = changes ?? {};
  return definitions === undefined ? { problem: 'How it was is not in this recording.' } : { definitions };
}
