import { serverFlags } from '../serve/serve-options.ts';
import { type Command, commands, otherCommands } from './commands.ts';
import { exitCodes } from '../command/failure.ts';
import { optionTexts } from './options.ts';

const all: Readonly<Record<string, Command>> = { ...commands, ...otherCommands };

/** What `ccmcp COMMAND --help` prints. */
export function commandHelp(name: string): string {
  const { usage = '', about = '', examples = [] } = all[name] ?? {};
  const options = Object.entries(optionTexts).filter(([, text]) => !('for' in text) || isIn(text.for, name));
  const codes = Object.values(exitCodes);
  return `Usage: ccmcp ${name} ${usage} [options]

${sentence(about)}

A target is the name of a ready-made server, a URL, a file that exports or serves one, or a command after "--" at the end.
It may also be configured somewhere: cursor:NAME in Cursor or another client of "ccmcp install --help", NAME in mcp.json
of this folder, FILE:NAME in any such file. Flags of a ready-made server (${[...serverFlags.keys()].join(', ')})
work here too.

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Options:
${options.map(([, { shows, about: tells }]) => row(shows, tells)).join('\n')}

Exit codes:
${codes.map(({ code, means }) => row(String(code), means)).join('\n')}
`;
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(24)} ${right}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
