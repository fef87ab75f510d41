/** When there is to be colour. */
export const colourChoices = ['auto', 'always', 'never'] as const;

export type ColourChoice = (typeof colourChoices)[number];

/**
 * Whether what goes to a stream is coloured: as was asked for on the command line, else by the two variables that people set
 * for all programs, else where the stream is a terminal.
 */
export function hasColour(
  stream: { isTTY?: boolean },
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: term } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return stream.isTTY === true && term !== 'dumb';
}
