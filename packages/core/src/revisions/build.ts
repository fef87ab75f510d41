import type { Changes, Mode, Narrowing, Revision } from './revision.ts';

/** Folds the changes of all revisions, oldest first, into one value per revision. */
export function fold(history: readonly Changes[]): Revision[] {
  let mode: Mode | undefined;
  let batches = false;
  let primesStreams = false;
  const codes = new Map<number, number>();
  const requests = new Set<string>();
  const notifications = new Set<string>();
  const questions = new Set<string>();

  return history.map((changes, index) => {
    mode = changes.mode ?? mode;
    if (mode === undefined) throw new Error('The first revision must name its mode');
    batches = changes.batches ?? batches;
    primesStreams = changes.primesStreams ?? primesStreams;
    for (const [from, to] of changes.codes ?? []) codes.set(from, to);
    change(requests, changes.adds?.requests, changes.drops?.requests);
    change(notifications, changes.adds?.notifications, changes.drops?.notifications);
    change(questions, changes.adds?.questions, changes.drops?.questions);
    return {
      ...mode,
      version: changes.version,
      batches,
      primesStreams,
      codes: new Map(codes),
      requests: new Set(requests),
      notifications: new Set(notifications),
      questions: new Set(questions),
      narrow: narrowing(history.slice(index + 1).reverse()),
    };
  });
}

function change(names: Set<string>, added: readonly string[] = [], dropped: readonly string[] = []): void {
  for (const name of added) names.add(name);
  for (const name of dropped) names.delete(name);
}

/** Undoes the news of later revisions, the newest first. */
function narrowing(later: readonly Changes[]): Narrowing {
  const steps: Record<string, (value: unknown, about: unknown) => unknown> = {};
  for (const { narrow = {} } of later) {
    for (const [method, step] of Object.entries(narrow) as [string, (value: unknown, about: unknown) => unknown][]) {
      const newer = steps[method];
      steps[method] = newer === undefined ? step : (value, about) => step(newer(value, about), about);
    }
  }
  return steps;
}
