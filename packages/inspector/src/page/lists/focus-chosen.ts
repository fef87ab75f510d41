/** Focuses the chosen row of this kind, as soon as it is drawn. */
export function focusChosen(row: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`${row}[aria-selected=true]`)?.focus());
}
