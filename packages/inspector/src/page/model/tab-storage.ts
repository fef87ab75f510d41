/**
 * Session storage with deferred access: in a starting browser the first access blocks. A fresh tab has nothing stored, so it skips the
 * read and writes later.
 */
const pendingWrites = new Map<string, string>();
const flushDelayMs = 500;
let isEmpty = typeof location !== 'undefined' && wasJustOpened();
if (isEmpty) {
  setTimeout(flush, flushDelayMs);
  addEventListener('pagehide', flush);
}

/** Loads a value. */
export function loadFromTab(name: string): string | undefined {
  return isEmpty ? pendingWrites.get(name) : (sessionStorage.getItem(name) ?? undefined);
}

/** Saves a value. One that exceeds the quota lasts until the next reload. */
export function saveToTab(name: string, text: string): void {
  pendingWrites.set(name, text);
  if (!isEmpty) flush();
}

/** Removes a value. */
export function removeFromTab(name: string): void {
  pendingWrites.delete(name);
  if (!isEmpty) sessionStorage.removeItem(name);
}

function flush(): void {
  isEmpty = false;
  for (const [name, text] of pendingWrites) {
    try {
      sessionStorage.setItem(name, text);
    } catch {
      sessionStorage.removeItem(name);
    }
  }
  pendingWrites.clear();
}

/** Whether the tab was opened for this page: with the token, and without history. */
function wasJustOpened(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return location.hash.startsWith('#token=') && history.length === 1 && navigation?.type === 'navigate';
}
