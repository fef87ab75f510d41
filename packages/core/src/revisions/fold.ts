import type { Changes, Downgrades, Revision } from './revision.ts';

/** Folds the changes up to one revision into its value. */
export function foldRevision(history: readonly Changes[], index: number): Revision {
  const past = history.slice(0, index + 1);
  const mode = past.findLast((changes) => changes.mode !== undefined)?.mode;
  if (mode === undefined) throw new Error('The first revision must name its mode');
  return {
    ...mode,
    version: (past.at(-1) as Changes).version,
    batches: past.findLast(({ batches }) => batches !== undefined)?.batches ?? false,
    primesStreams: past.findLast(({ primesStreams }) => primesStreams !== undefined)?.primesStreams ?? false,
    codes: new Map(past.flatMap(({ codes = [] }) => codes)),
    requests: namesIn(past, 'requests'),
    notifications: namesIn(past, 'notifications'),
    questions: namesIn(past, 'questions'),
    abilities: namesIn(past, 'abilities'),
    resumes: namesIn(past, 'resumes'),
    builtInFeatures: namesIn(past, 'builtInFeatures'),
    downgrade: foldDowngrades(history.slice(index + 1)),
  };
}

type Names = NonNullable<Changes['adds']>;

function namesIn<Kind extends keyof Names>(
  past: readonly Changes[],
  kind: Kind,
): Set<NonNullable<Names[Kind]>[number]> {
  const names = new Set<NonNullable<Names[Kind]>[number]>();
  for (const { adds, drops } of past) {
    adds?.[kind]?.forEach((name) => names.add(name));
    drops?.[kind]?.forEach((name) => names.delete(name));
  }
  return names;
}

type Step = (value: unknown, about: unknown) => unknown;

/** The downgrades for a revision: undoes the changes of all later revisions, the newest first. */
function foldDowngrades(later: readonly Changes[]): Downgrades {
  const steps: Record<string, Step> = {};
  for (const { downgrade = {} } of later.toReversed()) {
    for (const [method, step] of Object.entries(downgrade) as [string, Step][]) {
      const newer = steps[method];
      steps[method] = newer === undefined ? step : (value, about) => step(newer(value, about), about);
    }
  }
  return steps;
}
