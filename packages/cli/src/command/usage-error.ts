import { didYouMean } from './suggest.ts';

/** A command line that can't be understood. */
export class Misuse extends Error {}

/** What parseArgs complains of, in one sentence. `names` are the options that there are, without dashes. */
export function optionMisuse({ message }: Error, names: readonly string[]): Misuse {
  const [, unknown] = /^Unknown option '([^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return new Misuse(message.split(/\. |\n/)[0]);
  return new Misuse(noOption(unknown, names));
}

/** Says that there is no such option, and which one was probably meant. */
function noOption(given: string, names: readonly string[]): string {
  const meant =
    given.replace(/^-+/, '').length > 1
      ? didYouMean(
          given,
          names.map((name) => `--${name}`),
        )
      : '';
  return `There is no option ${given}.${meant}`;
}
