/**
 * What this tab keeps while it lives. In a browser that has just been started, the first look into its storage waits for a good part of
 * that start: a tab that can have nothing in there does not look, and writes a moment later.
 */
const unwritten = new Map<string, string>();
const laterMs = 500;
let isEmpty = typeof location !== 'undefined' && wasJustOpened();
if (isEmpty) {
  setTimeout(flush, laterMs);
  addEventListener('pagehide', flush);
}

/** What was kept by this name. */
export function kept(name: string): string | undefined {
  return isEmpty ? unwritten.get(name) : (sessionStorage.getItem(name) ?? undefined);
}

/** Keeps something in place of what was kept by this name. What is too large to be kept is there until the page is loaded again. */
export function keep(name: string, text: string): void {
  unwritten.set(name, text);
  if (!isEmpty) flush();
}

/** Keeps nothing by this name any more. */
export function forget(name: string): void {
  unwritten.delete(name);
  if (!isEmpty) sessionStorage.removeItem(name);
}

function flush(): void {
  isEmpty = false;
  for (const [name, text] of unwritten) {
    try {
      sessionStorage.setItem(name, text);
    } catch {
      sessionStorage.removeItem(name);
    }
  }
  unwritten.clear();
}

/** Whether the tab was made for this page: it was opened with the token, and has been nowhere else. */
function wasJustOpened(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return location.hash.startsWith('#token=') && history.length === 1 && navigation?.type === 'navigate';
}
