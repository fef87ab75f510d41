const fields = '.detail .arguments-body :is(input, select, textarea, .cm-content):not(:disabled)';

/** Focuses the first input of the opened detail, or its call button, after the next render. */
export function focusDetail(): void {
  requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>(fields) ?? document.querySelector<HTMLElement>('#call');
    first?.focus();
  });
}
let last: Element | undefined;
let lastAncestors: readonly Element[] = [];

/** Moves lost focus to the nearest remaining ancestor, so that the keyboard always works. */
export function restoreLostFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    lastAncestors = ancestors(target);
  });
  // An element that still exists after blur lost focus on purpose.
  addEventListener('focusout', ({ target }) => {
    queueMicrotask(() => {
      if (target === last && target instanceof HTMLElement && target.isConnected && !target.matches(':disabled'))
        last = undefined;
    });
  });
  new MutationObserver(restore).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

function restore(): void {
  if (last === undefined || document.activeElement !== document.body) return;
  if (last.isConnected) {
    if (!last.matches(':disabled')) (last as HTMLElement).focus({ preventScroll: true });
    return;
  }
  const fallback = lastAncestors.find((element) => element.isConnected);
  if (!(fallback instanceof HTMLElement)) return;
  if (!fallback.hasAttribute('tabindex')) fallback.tabIndex = -1;
  fallback.focus({ preventScroll: true });
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let each = element.parentElement; each !== null && each !== document.body; each = each.parentElement) {
    if (each.matches('section, main, nav, article, aside, [tabindex]')) found.push(each);
  }
  return found;
}

/** Focuses the selected row after the next render. */
export function focusSelectedRow(row: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`${row}[aria-selected=true]`)?.focus());
}

/** The index of the row that a key moves to; undefined for other keys. With `page`, the keys for pages move by so many rows. */
export function rowAfterKey(
  key: string,
  { at, count, page }: { at: number; count: number; page?: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: count - 1,
    ...(page !== undefined && { PageDown: at + page, PageUp: at - page }),
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}
