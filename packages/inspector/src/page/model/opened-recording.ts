import { signal } from '@preact/signals';

/** The recording that is shown instead of what happens now. */
export const openedRecording = signal<string | undefined>(undefined);
