import { type Command, commands, otherCommands } from './commands.ts';
import { exitCodes } from './failure.ts';
import { optionTexts } from './options.ts';

const all: Readonly<Record<string, Command>> = { ...commands, ...otherCommands };

/** What `ccmcp COMMAND --help` prints. */
export function commandHelp(name: string): string {
  const { usage = '', about = '', examples = [] } = all[name] ?? {};
  const options = Object.entries(optionTexts).filter(([option]) => option !== 'count' || name === 'listen');
  const codes = Object.values(exitCodes);
  return `Usage: ccmcp ${name} ${usage} [options]

${sentence(about)}

A target is the name of a ready-made server, a URL, a file that exports a server, or a command after "--" at the end.

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Options:
${options.map(([, { shows, about: tells }]) => row(shows, tells)).join('\n')}

Exit codes:
${codes.map(({ code, means }) => row(String(code), means)).join('\n')}
`;
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(24)} ${right}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
