import type { ComponentChildren } from 'preact';
import { openedRecording } from '../model/opened-recording.ts';

/** Disables its children while a recording is shown. */
export function LiveOnly({ children }: { children: ComponentChildren }) {
  return (
    <fieldset class="live-only" disabled={openedRecording.value !== undefined}>
      {children}
    </fieldset>
  );
}
