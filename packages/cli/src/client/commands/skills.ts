import { isUtf8 } from 'node:buffer';
import { type FileVerdict, type RemoteSkills, type Skill, SkillError, skillsOf } from '@ccmcp/core/skills';
import { toOneLine } from '../../terminal/print.ts';
import type { Context } from '../context.ts';
import { contentsPart } from '../describe/result.ts';
import { Failure } from '../../command/failure.ts';
import { stylePageLine } from '../../terminal/wrap.ts';
import { unknownName } from '../describe/server-lists.ts';
import { host } from '../../host.ts';

/** Lists the skills of a server, shows one or a file of it, or verifies all files. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const [name, file, more] = words;
  if (more !== undefined) throw new Failure('usage', `Unexpected argument: ${more}`);
  const { client, options, signal } = context;
  if (client.capabilities.extensions?.['io.modelcontextprotocol/skills'] === undefined) {
    throw new Failure('unknown-name', 'This server has no skills: it does not declare the extension');
  }
  const remote = skillsOf(client);
  const { skills, rejected } = await remote.list({ signal });
  if (options.verify) {
    if (file !== undefined) throw new Failure('usage', '--verify checks all files of a skill: leave the file out');
    if (name === undefined) return verify(context, remote, skills, rejected);
    return verify(context, remote, [await findSkill(name, { remote, skills, rejected, signal })], []);
  }
  if (name === undefined) return list(context, skills, rejected);
  const skill = await findSkill(name, { remote, skills, rejected, signal });
  await (file === undefined ? show(context, remote, skill) : printFile(context, remote, skill, file)).catch(
    throwSkillFailure,
  );
}

interface Offered {
  readonly remote: RemoteSkills;
  readonly skills: readonly Skill[];
  readonly rejected: readonly SkillError[];
  readonly signal: AbortSignal;
}

/** Finds a skill by name or URI. A server may have more than it lists. */
async function findSkill(name: string, { remote, skills, rejected, signal }: Offered): Promise<Skill> {
  const found = skills.filter(({ uri, frontmatter }) => frontmatter.name === name || uri === name);
  const [first, second] = found;
  if (second !== undefined) {
    const hint = `Give the address of one: ${found.map(({ uri }) => toOneLine(uri)).join(', ')}`;
    throw new Failure('usage', `The server has ${found.length} skills that are named "${name}".`, { hint });
  }
  if (first !== undefined) return first;
  const wrong = rejected.find(({ uri }) => uri === name || uri.endsWith(`/${name}/SKILL.md`));
  if (wrong !== undefined) throwSkillFailure(wrong);
  if (name.includes('://')) return remote.get(name, { signal }).catch(throwSkillFailure);
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  throw unknownName('skill', name, names);
}

function list({ output, terminal }: Context, skills: readonly Skill[], rejected: readonly SkillError[]): Promise<void> {
  const json = { skills, ...(rejected.length > 0 && { refused: rejected.map(rejection) }) };
  const text = (): string =>
    [
      ...skills.flatMap((skill) => [
        `${skill.frontmatter.name}  ${sizeText(skill)}`,
        `    ${toOneLine(skill.frontmatter.description)}`,
      ]),
      ...rejected.map((error) => `(rejected) ${placeOf(error)}: ${toOneLine(error.message)}`),
      ...(skills.length + rejected.length === 0 ? ['The server lists no skills; it may have some all the same'] : []),
    ].join('\n');
  return output.long(json, text, { look: stylePageLine, terminal });
}

async function show({ output, terminal, signal }: Context, remote: RemoteSkills, skill: Skill): Promise<void> {
  const { text } = await remote.load(skill, { signal });
  const { uri: head, resources } = skill;
  const render = (): string => {
    if (resources === 'dynamic') return [`${head}, ${sizeText(skill)}`, '', text.trimEnd()].join('\n');
    const files = resources.map(({ uri, size }) => `  ${uri}  ${size} bytes`);
    return [`${head}, checked: ${sizeText(skill)}`, '', text.trimEnd(), '', 'Files', ...files].join('\n');
  };
  await output.long({ skill, text }, render, { look: stylePageLine, terminal });
}

/** A terminal gets escaped text; other readers get the raw bytes. */
async function printFile(
  { output, options, signal }: Context,
  remote: RemoteSkills,
  skill: Skill,
  file: string,
): Promise<void> {
  const loaded = await remote.load(skill, { signal });
  const bytes = await loaded.read(file, { signal });
  if (!options.json && !host.stdout.isTTY) return output.bytes(bytes);
  const contents = isUtf8(bytes)
    ? { text: Buffer.from(bytes).toString() }
    : { blob: Buffer.from(bytes).toString('base64') };
  await output.parts({ skill: skill.uri, file, ...contents }, () => [contentsPart({ uri: file, ...contents })]);
}

async function verify(
  { output, signal }: Context,
  remote: RemoteSkills,
  skills: readonly Skill[],
  rejected: readonly SkillError[],
): Promise<void> {
  const verdicts: Verdict[] = rejected.map((error) => ({ uri: error.uri, error }));
  for (const skill of skills) {
    const isMade = skill.resources === 'dynamic' && { dynamic: true };
    verdicts.push(...(await remote.verify(skill, { signal })).map((verdict) => ({ ...verdict, ...isMade })));
  }
  const wrong = verdicts.filter(({ error }) => error !== undefined);
  // Dynamic files have no digest to verify.
  const verifiable = verdicts.filter(({ error, dynamic }) => error !== undefined || dynamic !== true);
  const rows = verdicts.map(({ uri, error, dynamic }) => ({
    uri,
    ok: error === undefined,
    ...(dynamic && { dynamic }),
    ...(error && rejection(error)),
  }));
  output.value({ files: rows, ok: wrong.length === 0 }, () =>
    verdicts
      .map(verdictLine)
      .concat(`${verifiable.length - wrong.length} of ${verifiable.length} files are what the list tells`)
      .join('\n'),
  );
  if (wrong.length > 0) throw new Failure('refused', `${wrong.length} of ${verifiable.length} files are wrong`);
}

type Verdict = FileVerdict & { readonly dynamic?: boolean };

function verdictLine({ uri, error, dynamic }: Verdict): string {
  if (error !== undefined) return `WRONG ${placeOf(error)}: ${toOneLine(error.message)}`;
  if (dynamic) return `head  ${toOneLine(uri)}: made when it is read, so that its head alone can be compared`;
  return `ok    ${toOneLine(uri)}`;
}

function placeOf({ uri }: SkillError): string {
  return uri === '' ? 'an entry without an address' : toOneLine(uri);
}

function rejection({ uri, problem, message }: SkillError): { uri: string; problem: string; message: string } {
  return { uri, problem, message };
}

function sizeText({ resources }: Skill): string {
  if (resources === 'dynamic') return 'made when it is read: nothing but its head can be compared';
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return `${resources.length} ${resources.length === 1 ? 'file' : 'files'}, ${bytes} bytes`;
}

function throwSkillFailure(error: unknown): never {
  if (!(error instanceof SkillError)) throw error;
  const kind = error.problem === 'unlisted' ? 'unknown-name' : 'refused';
  throw new Failure(kind, `${error.uri}: ${error.message}`, { data: { problem: error.problem }, cause: error });
}
