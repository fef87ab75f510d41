import type { ComponentChildren } from 'preact';
import { openedRecording } from '../model/opened-recording.ts';

/** What can be used only with what happens now: in a recording it can be seen. */
export function LiveOnly({ children }: { children: ComponentChildren }) {
  return (
    <fieldset class="live-only" disabled={openedRecording.value !== undefined}>
      {children}
    </fieldset>
  );
}
