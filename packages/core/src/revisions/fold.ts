import type { Ability } from '../protocol/questions.ts';
import type { Changes, Mode, Downgrades, Revision } from './revision.ts';

/** Folds the changes of all revisions, oldest first, into one value per revision. */
export function foldRevisions(history: readonly Changes[]): Revision[] {
  let mode: Mode | undefined;
  let batches = false;
  let primesStreams = false;
  const codes = new Map<number, number>();
  const requests = new Set<string>();
  const notifications = new Set<string>();
  const questions = new Set<string>();
  const abilities = new Set<Ability>();
  const resumes = new Set<string>();
  const builtInFeatures = new Set<string>();
  const downgrades = foldDowngrades(history);

  return history.map((changes, index) => {
    mode = changes.mode ?? mode;
    if (mode === undefined) throw new Error('The first revision must name its mode');
    batches = changes.batches ?? batches;
    primesStreams = changes.primesStreams ?? primesStreams;
    for (const [from, to] of changes.codes ?? []) codes.set(from, to);
    change(requests, changes.adds?.requests, changes.drops?.requests);
    change(notifications, changes.adds?.notifications, changes.drops?.notifications);
    change(questions, changes.adds?.questions, changes.drops?.questions);
    change(abilities, changes.adds?.abilities, changes.drops?.abilities);
    change(resumes, changes.adds?.resumes, changes.drops?.resumes);
    change(builtInFeatures, changes.adds?.builtInFeatures, changes.drops?.builtInFeatures);
    return {
      ...mode,
      version: changes.version,
      batches,
      primesStreams,
      codes: new Map(codes),
      requests: new Set(requests),
      notifications: new Set(notifications),
      questions: new Set(questions),
      abilities: new Set(abilities),
      resumes: new Set(resumes),
      builtInFeatures: new Set(builtInFeatures),
      downgrade: downgrades[index] ?? {},
    };
  });
}

function change<Name>(names: Set<Name>, added: readonly Name[] = [], dropped: readonly Name[] = []): void {
  for (const name of added) names.add(name);
  for (const name of dropped) names.delete(name);
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
