import { invalidParams } from '../jsonrpc/errors.ts';
import { changes as r20241105 } from './2024-11-05.ts';
import { changes as r20250326 } from './2025-03-26.ts';
import { changes as r20250618 } from './2025-06-18.ts';
import { changes as r20251125 } from './2025-11-25.ts';
import { changes as r20260728 } from './2026-07-28.ts';
import { foldRevision } from './fold.ts';
import type { Changes, Mode, Revision } from './revision.ts';

/** The changes of every revision, oldest first. */
export const history: readonly Changes[] = [r20241105, r20250326, r20250618, r20251125, r20260728];

const folded: Revision[] = [];

/** The revision at a position of the history. Folded on first use: a client speaks only one of them. */
export function revisionAt(index: number): Revision {
  folded[index] ??= foldRevision(history, index);
  return folded[index];
}

/** The newest revision of all. */
export function newestRevision(): Revision {
  return revisionAt(history.length - 1);
}

/** Versions that belong to an era, oldest first. */
export function versionsIn(era: Mode['era']): string[] {
  let current: Mode['era'] | undefined;
  return history.flatMap(({ version, mode }) => {
    current = mode?.era ?? current;
    return current === era ? [version] : [];
  });
}

/** True for every request, notification and question that some revision has. */
export function isMethodName(method: string): boolean {
  return history.some(
    ({ adds }) =>
      adds?.requests?.includes(method) || adds?.notifications?.includes(method) || adds?.questions?.includes(method),
  );
}

/**
 * Negotiates the revision of a handshake. `accepted` selects which unknown versions get our newest revision: dates, as
 * the specification asks, any text, or none. Throws for the others.
 */
export function negotiate(requested: unknown, accepted: 'known' | 'dates' | 'any'): Revision {
  const supported = versionsIn('handshake');
  const known = supported.find((version) => version === requested);
  if (known === undefined && accepted !== 'any' && !(accepted === 'dates' && isDate(requested))) {
    throw invalidParams('Unsupported protocol version', { supported, requested: requested ?? null });
  }
  const version = known ?? supported.at(-1);
  return revisionAt(history.findIndex((changes) => changes.version === version));
}

function isDate(requested: unknown): boolean {
  return typeof requested === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(requested);
}
