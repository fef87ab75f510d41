const fields = '.detail .arguments-body :is(input, select, textarea, .cm-content):not(:disabled)';

/** Goes on in what was opened, as soon as it is drawn: at the first thing to fill in, else at the button that calls. */
export function focusDetail(): void {
  requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>(fields) ?? document.querySelector<HTMLElement>('#call');
    first?.focus();
  });
}
let last: Element | undefined;
let around: readonly Element[] = [];

/** Sees to it that the keyboard is never nowhere: what had it and is gone gives it to what stood around it. */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    around = ancestors(target);
  });
  // What is still there when it is left was left on purpose.
  addEventListener('focusout', ({ target }) => {
    queueMicrotask(() => {
      if (target === last && target instanceof HTMLElement && target.isConnected && !target.matches(':disabled'))
        last = undefined;
    });
  });
  new MutationObserver(give).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

function give(): void {
  if (last === undefined || document.activeElement !== document.body) return;
  if (last.isConnected) {
    if (!last.matches(':disabled')) (last as HTMLElement).focus({ preventScroll: true });
    return;
  }
  const heir = around.find((element) => element.isConnected);
  if (!(heir instanceof HTMLElement)) return;
  if (!heir.hasAttribute('tabindex')) heir.tabIndex = -1;
  heir.focus({ preventScroll: true });
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let each = element.parentElement; each !== null && each !== document.body; each = each.parentElement) {
    if (each.matches('section, main, nav, article, aside, [tabindex]')) found.push(each);
  }
  return found;
}

/** Focuses the chosen row of this kind, as soon as it is drawn. */
export function focusChosen(row: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`${row}[aria-selected=true]`)?.focus());
}
