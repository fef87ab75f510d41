import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { quoteWord } from '../system/shell-words.ts';
import { UsageError } from '../command/usage-error.ts';
import { selfCommand } from '../system/self-command.ts';
import { messageLine } from '../terminal/message-line.ts';
import { print, printStderr } from '../terminal/print.ts';
import { interruptible } from '../command/interruptible.ts';
import { npm } from '../system/npm.ts';
import { type CoreSource, findCoreSource, packCore, explainInstall } from './npm.ts';
import { projectFiles, type ProjectKind, projectPort } from './project.ts';
import { slug } from '../system/slug.ts';

/**
 * The maximum length of a name: clients put it before the names of tools, and some drop tools whose names are too long
 * then.
 */
const maxLength = 40;

/** Names that a folder can't have on Windows. */
const devices = /^(?:aux|con|nul|prn|com\d|lpt\d)$/;

/** Names that npm reserves. */
const taken = ['node_modules', 'typescript'];

/** Explains why npm, a client or a file system would reject a project's name; undefined for a valid one. */
export function nameProblem(name: string): string | undefined {
  if (name.length > maxLength) return `"${name.slice(0, maxLength)}…" is too long: take at most ${maxLength} letters`;
  if (devices.test(name) || taken.includes(name))
    return `"${name}" means something else to npm or to Windows: choose another name`;
  if (/^[a-z][a-z\d-]*$/.test(name) && !name.endsWith('-')) return undefined;
  const better = slug(name);
  const suggestion = better === '' ? '' : `, such as "${better}"`;
  return `"${name}" is no good name: take small letters, digits and hyphens, beginning with a letter${suggestion}`;
}

/** The project to create, and where. */
interface WantedProject extends Omit<ProjectKind, 'core'> {
  folder: string;
  install: boolean;
}

/** The command line of `ccmcp new`. */
interface NewArguments {
  readonly values: { js?: true; ts?: true; http?: true; 'no-install'?: true };
  readonly positionals: readonly string[];
}

/** `ccmcp new`: creates a project with a server. Returns the exit code. */
export async function newProject(given: NewArguments): Promise<number> {
  return interruptible((signal) => createProject(parseProject(given), signal));
}

function parseProject({ values, positionals }: NewArguments): WantedProject {
  const [given, another] = positionals;
  if (given === undefined || given === '') throw new UsageError('give the project a name: ccmcp new NAME');
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  if (values.ts && values.js) throw new UsageError('--ts and --js exclude each other');
  const folder = resolve(given);
  const name = basename(folder);
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem);
  return {
    name,
    folder,
    language: values.ts ? 'ts' : 'js',
    transport: values.http ? 'http' : 'stdio',
    install: !values['no-install'],
  };
}

async function createProject(wanted: WantedProject, signal: AbortSignal): Promise<number> {
  const { folder, install } = wanted;
  requireFreeFolder(folder);
  const source = findCoreSource();
  await stageAndMove(folder, (staged) => write(staged, wanted, source, signal));
  const shown = relative(process.cwd(), folder) || '.';
  printStderr(
    `Made ${wanted.name} in ${shown}, with @ccmcp/core of ${source.kind === 'clone' ? 'this clone' : 'the registry'}.\n`,
  );
  if (source.kind === 'clone' && !relative(source.root, folder).startsWith('..')) {
    const beside = relative(process.cwd(), join(dirname(source.root), wanted.name));
    printStderr(
      `It lies inside the clone, where git sees it; "${selfCommand()} new ${beside}" makes it beside the clone.\n`,
    );
  }
  if (install) {
    printStderr('Installing what it needs …\n');
    const { code, stderr } = await npm(['install', '--no-audit', '--no-fund'], { cwd: folder, signal });
    if (code !== 0) {
      printStderr(messageLine(`the project is made, but not installed: ${explainInstall(stderr)}.`));
      return 1;
    }
  }
  print(nextSteps(wanted, shown));
  return 0;
}

/** Nothing is ever overwritten. */
function requireFreeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) throw new Error(`there is no folder ${dirname(folder)} to make it in`);
  if (!existsSync(folder)) return;
  const isEmpty = isFolder(folder) && readdirSync(folder).length === 0;
  if (!isEmpty) throw new Error(`${folder} already exists, and is not empty: choose another name, or remove it`);
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates files in a staging folder and moves them together when all are complete, so that a failure leaves nothing.
 */
async function stageAndMove(folder: string, fill: (staged: string) => Promise<void>): Promise<void> {
  const staged = mkdtempSync(join(dirname(folder), '.ccmcp-new-'));
  try {
    await fill(staged);
    mkdirSync(folder, { recursive: true });
    // Checked again: packing takes a while.
    requireFreeFolder(folder);
    for (const entry of readdirSync(staged)) renameSync(join(staged, entry), join(folder, entry));
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

async function write(staged: string, wanted: WantedProject, source: CoreSource, signal: AbortSignal): Promise<void> {
  const files = projectFiles({ ...wanted, core: await addCore(staged, source, signal) });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    writeFileSync(join(staged, path), text);
  }
}

/** The version of the core for package.json; from a clone, it is packed into the project. */
async function addCore(staged: string, source: CoreSource, signal: AbortSignal): Promise<string> {
  if (source.kind === 'registry') return source.range;
  const into = join(staged, 'vendor');
  mkdirSync(into);
  return `file:vendor/${await packCore({ root: source.root, into, signal })}`;
}

function nextSteps({ name, folder, language, transport, install }: WantedProject, shown: string): string {
  const own = selfCommand({ cwd: folder });
  const built = language === 'ts' ? 'dist' : 'src';
  const entry =
    transport === 'http'
      ? `${name} --url http://127.0.0.1:${projectPort}/mcp`
      : `--name ${name} -- node ${quoteWord(join(folder, built, 'main.js'))}`;
  const steps = [
    ...(shown === '.' ? [] : [`cd ${quoteWord(shown)}`]),
    ...(install ? [] : ['npm install']),
    'npm test',
    'npm start',
    `${own} call ${built}/server.js greet name=Ada`,
    `${own} install cursor ${entry}`,
  ];
  return `Next:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}
