import { clientOptions } from '../../packages/cli/src/client/options.ts';
import type { Command } from '../../packages/cli/src/command/command.ts';
import { exitCodes } from '../../packages/cli/src/command/failure.ts';
import { optionUsage } from '../../packages/cli/src/command/help-text.ts';
import { rules } from '../../packages/cli/src/client/lint/rules.ts';
import { commandGroups } from '../../packages/cli/src/commands.ts';

const clientCommands = commandGroups.flatMap(({ commands }) => commands).filter((command) => 'ownOptions' in command);

/** Content that is generated between `<!-- NAME -->` and `<!-- end -->` in docs/command.md. */
const blocks: Readonly<Record<string, () => string>> = {
  commands: () =>
    commandGroups
      .map(({ title, commands }) => `${title}:\n\n${table(['command', 'arguments', ''], commands.flatMap(commandRow))}`)
      .join('\n'),
  examples: () => `\`\`\`sh\n${clientCommands.flatMap(({ examples }) => examples).join('\n')}\n\`\`\`\n`,
  options: () => table(['option', 'commands', ''], Object.entries(clientOptions).map(optionRow)),
  'exit codes': () =>
    table(
      ['code', 'kind', ''],
      Object.entries(exitCodes).map(([kind, { code, means }]) => [`\`${code}\``, `\`${kind}\``, means]),
    ),
  rules: () =>
    table(
      ['rule', 'severity', 'finds'],
      rules.map(({ id, severity, about }) => [`\`${id}\``, severity, about]),
    ),
};

const marked = /<!-- ([a-z ]+) -->\n[^]*?<!-- end -->/g;

/** The document with its blocks regenerated from the table of commands. */
export function withCommandTables(text: string): string {
  return text.replace(marked, (_, name: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`Nothing is called "${name}"`);
    return `<!-- ${name} -->\n\n${block()}\n<!-- end -->`;
  });
}

/** The names of the blocks in a document. */
export function commandBlocks(text: string): string[] {
  return Array.from(text.matchAll(marked), ([, name = '']) => name);
}

/** The names of all blocks. */
export const blockNames = Object.keys(blocks);

function commandRow({ name, usage, summary, hidden }: Command): string[][] {
  return hidden ? [] : [[`\`${name}\``, usage === '' ? '' : `\`${usage}\``, summary]];
}

function optionRow([name, option]: [string, (typeof clientOptions)[keyof typeof clientOptions]]): string[] {
  const users = clientCommands.filter((command) => Object.hasOwn(command.options, name)).map((command) => command.name);
  const others = clientCommands.map((command) => command.name).filter((each) => !users.includes(each));
  const all = others.length === 0 ? 'all' : `all but ${others.join(', ')}`;
  return [`\`${optionUsage(name, option)}\``, others.length < 4 ? all : users.join(', '), option.about];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, head.map(() => '---'), ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  return cells.map((row) => `| ${row.join(' | ')} |\n`).join('');
}
