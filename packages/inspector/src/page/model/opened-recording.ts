import { signal } from '@preact/signals';

/** Name of the recording that replaces the live state. */
export const openedRecording = signal<string | undefined>(undefined);
