import { logLevels } from '@ccmcp/core';
import { colourChoices } from '../terminal/colour.ts';
import { commands, otherCommands } from '../client/commands.ts';
import { imageChoices } from '../terminal/images/protocols.ts';
import { eras, framings, optionTexts } from '../client/options.ts';
import { taskVerbs } from '../client/options.ts';
import { serverFlags } from '../serve/serve-options.ts';
import { type ServerName, serverNames } from '../serve/servers.ts';

/** What a word may be, and what the shell is to add by itself. */
export interface Candidates {
  adds: 'none' | 'files' | 'folders';
  found: { word: string; about?: string }[];
}

const clientCommands: Readonly<Record<string, { about: string }>> = { ...commands, ...otherCommands };

/** What options of the client side may be set to. */
const optionValues: Readonly<Record<string, readonly string[]>> = {
  '--era': eras,
  '--framing': framings,
  '--log-level': logLevels,
  '--color': colourChoices,
  '--images': imageChoices,
};
const folderOptions = ['--out', '--root'];
const fileOptions = ['--db', '--file'];

/** What the last of these words, which follow the command's name, may be completed to. */
export async function candidatesFor(words: readonly string[], commandNames: readonly string[]): Promise<Candidates> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const [first, second] = before;
  // What follows is another program's command line.
  if (before.includes('--')) return { adds: 'files', found: [] };
  const value = optionValue(before.at(-1) ?? '', last);
  if (value !== undefined) return value;
  if (first === undefined) return firstWord(last, commandNames);
  if (Object.hasOwn(clientCommands, first)) return clientWord(first, before.slice(1), last);
  if ((first === 'notes' || first === 'audit') && second === undefined)
    return of(last.startsWith('-') ? [] : secondWords(first, commandNames));
  if (last.startsWith('-')) return of(await flagsOf(first));
  switch (first) {
    case 'serve':
      return { adds: 'files', found: [] };
    case 'completion':
      return of(second === undefined ? await shells() : []);
    case 'top':
      return of([]);
    case 'new':
      return { adds: second === undefined ? 'folders' : 'none', found: [] };
    case 'install':
    case 'uninstall':
    case 'doctor':
      return second === undefined || first === 'doctor'
        ? of(await clientNames())
        : { ...of(serverNames), adds: 'files' };
    default:
      return first === 'notes' || first === 'audit' ? { adds: 'files', found: [] } : of(serverNames);
  }
}

/** What follows a word in the names of commands. */
function secondWords(first: string, commandNames: readonly string[]): string[] {
  return commandNames.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1));
}

/** Where the word is the value of an option, after a space or an equals sign. */
function optionValue(previous: string, last: string): Candidates | undefined {
  const [, own, given] = /^(--[a-z-]+)=(.*)$/s.exec(last) ?? [];
  const option = own ?? previous;
  const start = given === undefined ? '' : `${option}=`;
  const values = optionValues[option];
  if (values !== undefined) return of(values.map((each) => `${start}${each}`));
  if (given !== undefined) return undefined;
  if (folderOptions.includes(option)) return { adds: 'folders', found: [] };
  if (fileOptions.includes(option)) return { adds: 'files', found: [] };
  return takesValue(option) ? of([]) : undefined;
}

function takesValue(option: string): boolean {
  const isOurs = Object.entries(optionTexts).some(([name, { type }]) => `--${name}` === option && type === 'string');
  return isOurs || serverFlags.get(option) === 'string';
}

async function firstWord(last: string, commandNames: readonly string[]): Promise<Candidates> {
  if (last.startsWith('-')) return of(await flagsOf(''));
  const names = [...new Set(commandNames.map((name) => name.split(' ', 1)[0] ?? name))];
  const found = [...names, ...serverNames].map((name) => described(name, clientCommands[name]?.about));
  return {
    adds: 'none',
    found: found.filter(({ word }, index) => found.findIndex((each) => each.word === word) === index),
  };
}

async function clientWord(command: string, before: readonly string[], last: string): Promise<Candidates> {
  if (last.startsWith('-') && last !== '-') {
    const options = Object.entries(optionTexts).filter(([, text]) => !('for' in text) || has(text.for, command));
    return {
      adds: 'none',
      found: [...options.map(([name, { about }]) => described(`--${name}`, about)), { word: '-- ' }],
    };
  }
  const [target, ...words] = positionals(before);
  if (target === undefined) return { ...of([...serverNames, ...(await configuredNames())]), adds: 'files' };
  if (command === 'tasks') return taskWord(target, words);
  const server = serverNames.find((name) => name === target);
  const found = server === undefined ? [] : await offered(server, [command, ...words, last]);
  return { adds: 'none', found: found.map((word) => ({ word })) };
}

/** What can be done with a task, then the tasks that are kept for an address. The server is not asked. */
async function taskWord(target: string, words: readonly string[]): Promise<Candidates> {
  if (words.length === 0) return of(taskVerbs);
  if (words.length > 1 || !URL.canParse(target)) return of([]);
  const { keptTasksFile } = await import('../client/tasks/task-file.ts');
  try {
    const kept = await (await keptTasksFile(new URL(target), {})).list();
    return of(kept.map(({ taskId }) => taskId).filter((id) => /^[\w.~-]+$/.test(id)));
  } catch {
    return of([]);
  }
}

/** The servers that are configured in clients, by name; nothing is said of files that can't be read. */
async function configuredNames(): Promise<string[]> {
  const { namesToSay } = await import('../client/connection/configured-target.ts');
  try {
    return namesToSay().filter((name) => !/[\s"'\\]/.test(name));
  } catch {
    return [];
  }
}

/** What a ready-made server offers. It is made in this process, and nothing else is ever started by a key. */
async function offered(name: ServerName, words: readonly string[]): Promise<string[]> {
  // The resources of notes are the user's notes: a store that must not be opened for this.
  if (name === 'notes' && words[0] !== 'call' && words[0] !== 'list') return [];
  const [{ makeServer }, { connect, memoryTransport }, { completer }] = await Promise.all([
    import('../serve/servers.ts'),
    import('@ccmcp/core/client'),
    import('../client/shell/completer.ts'),
  ]);
  const settings = {
    servers: [name],
    root: '.',
    logLevel: 'emergency',
    allowShutdown: false,
    readOnly: false,
    hard: false,
  } as const;
  const client = await connect(memoryTransport(await makeServer(settings, () => {})), { onWarning: () => {} });
  const [found] = await completer(client)(words.join(' '));
  await client.close();
  return found;
}

/** The words that are neither options nor their values. */
function positionals(words: readonly string[]): string[] {
  return words.filter((word, index) => !word.startsWith('--') && !takesValue(words[index - 1] ?? ''));
}

/** The options that a help text tells of. */
async function flagsOf(command: string): Promise<string[]> {
  return Array.from((await helpOf(command)).matchAll(/^ {2}(--[a-z-]+)/gm), ([, flag = '']) => flag);
}

async function helpOf(command: string): Promise<string> {
  switch (command) {
    case 'install':
      return (await import('../install/help.ts')).installHelp;
    case 'uninstall':
      return (await import('../install/help.ts')).uninstallHelp;
    case 'doctor':
      return (await import('../install/help.ts')).doctorHelp;
    case 'new':
      return (await import('../new/help.ts')).newHelp;
    case 'top':
      return (await import('../top/help.ts')).topHelp;
    case 'serve':
      return `  --watch\n${(await import('../command/help.ts')).help}`;
    case 'completion':
    case 'notes':
      return '';
    default:
      return (await import('../command/help.ts')).help;
  }
}

async function clientNames(): Promise<string[]> {
  return Object.keys((await import('../install/clients.ts')).clients);
}

async function shells(): Promise<string[]> {
  return Object.keys((await import('./scripts.ts')).scripts);
}

function of(words: readonly string[]): Candidates {
  return { adds: 'none', found: words.map((word) => ({ word: `${word} ` })) };
}

function described(word: string, about: string | undefined): { word: string; about?: string } {
  return about === undefined ? { word: `${word} ` } : { word: `${word} `, about };
}

function has(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
