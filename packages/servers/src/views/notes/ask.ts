import { byId, press, write } from '../host/dom.ts';

let settle: ((answer: boolean) => void) | undefined;

/** Asks before something is lost. `yes` is what the button says that does it. */
export function ask(text: string, yes: string): Promise<boolean> {
  const dialog = byId('ask', HTMLDialogElement);
  // Whoever waits for another answer gets none: nothing is thrown away by it.
  settle?.(false);
  write('ask-text', text);
  write('ask-yes', yes);
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    settle = resolve;
  });
}

function answer(given: boolean): void {
  byId('ask', HTMLDialogElement).close();
  settle?.(given);
  settle = undefined;
}

press('ask-yes', () => answer(true));
press('ask-no', () => answer(false));
byId('ask', HTMLDialogElement).addEventListener('cancel', (event) => {
  event.preventDefault();
  answer(false);
});
