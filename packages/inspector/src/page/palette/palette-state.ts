import { signal } from '@preact/signals';

/** Which window floats above the page. */
export const floating = signal<'palette' | 'keys' | undefined>(undefined);

/** Opens the palette. */
export function openPalette(): void {
  floating.value = 'palette';
}
