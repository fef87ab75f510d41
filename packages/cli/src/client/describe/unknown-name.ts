import { Failure } from '../../command/failure.ts';
import { didYouMean } from '../../command/suggest.ts';

/** More names than these are no help. */
const mostNames = 50;

/** The failure where a server has no `kind`, such as a tool, of a name. `names`: those that it has. */
export function unknownName(kind: string, name: string, names: readonly string[]): Failure {
  const message = `The server has no ${kind} "${name}".${didYouMean(name, names)}`;
  return new Failure('unknown-name', message, { hint: listNamesText(`${kind}s`, names) });
}

/** The failure where no name is given at all. */
export function missingName(kind: string, names: readonly string[]): Failure {
  return new Failure('usage', `The name of a ${kind} is missing`, { hint: listNamesText(`${kind}s`, names) });
}

/** The names that a server has, as a sentence. */
export function listNamesText(kinds: string, names: readonly string[]): string {
  return names.length === 0 ? `It has no ${kinds}.` : `It has ${names.slice(0, mostNames).join(', ')}.`;
}
