const fields = '.detail .arguments-body :is(input, select, textarea, .cm-content):not(:disabled)';

/** Goes on in what was opened, as soon as it is drawn: at the first thing to fill in, else at the button that calls. */
export function focusDetail(): void {
  requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>(fields) ?? document.querySelector<HTMLElement>('#call');
    first?.focus();
  });
}
