import type { Changes, Mode, Downgrades, Revision } from './revision.ts';

/** Folds the changes of all revisions, oldest first, into one value per revision. */
export function foldRevisions(history: readonly Changes[]): Revision[] {
  let mode: Mode | undefined;
  let batches = false;
  let primesStreams = false;
  let codes: ReadonlyMap<number, number> = new Map();
  const names: Names = {
    requests: new Set(),
    notifications: new Set(),
    questions: new Set(),
    abilities: new Set(),
    resumes: new Set(),
    builtInFeatures: new Set(),
  };
  const downgrades = foldDowngrades(history);

  return history.map((changes, index) => {
    mode = changes.mode ?? mode;
    if (mode === undefined) throw new Error('The first revision must name its mode');
    batches = changes.batches ?? batches;
    primesStreams = changes.primesStreams ?? primesStreams;
    if (changes.codes !== undefined) codes = new Map([...codes, ...changes.codes]);
    applyChanges(names, changes);
    return {
      ...mode,
      version: changes.version,
      batches,
      primesStreams,
      codes,
      ...names,
      downgrade: downgrades[index] ?? {},
    };
  });
}

type Names = { -readonly [Kind in keyof NonNullable<Changes['adds']>]-?: Revision[Kind] };

/** Replaces the sets that a revision changes; the others are shared with the revision before. */
function applyChanges(names: Names, { adds = {}, drops = {} }: Changes): void {
  for (const kind of Object.keys({ ...adds, ...drops }) as (keyof Names)[]) {
    const next = new Set<string>([...names[kind], ...(adds[kind] ?? [])]);
    for (const name of drops[kind] ?? []) next.delete(name);
    (names as Record<keyof Names, ReadonlySet<string>>)[kind] = next;
  }
}

type Step = (value: unknown, about: unknown) => unknown;

/** The downgrades for each revision: undoes the changes of all later revisions, the newest first. */
function foldDowngrades(history: readonly Changes[]): Downgrades[] {
  let steps: Record<string, Step> = {};
  return history
    .toReversed()
    .map(({ downgrade = {} }) => {
      const later = steps;
      steps = { ...later };
      for (const [method, step] of Object.entries(downgrade) as [string, Step][]) {
        const newer = later[method];
        steps[method] = newer === undefined ? step : (value, about) => step(newer(value, about), about);
      }
      return later;
    })
    .reverse();
}
