import { type FileVerdict, type RemoteSkills, type Skill, SkillError, skillsOf } from '@ccmcp/core/skills';
import { oneLine } from '../print.ts';
import type { Context } from './command.ts';
import { Failure } from './failure.ts';
import { pageLook } from './looks.ts';
import { unknownName } from './unknown-name.ts';

/** Lists the skills of a server, shows one or a file of it, or compares all files with what the list tells. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const [name, file, more] = words;
  if (more !== undefined) throw new Failure('usage', `Unexpected argument: ${more}`);
  const { client, options, signal } = context;
  if (client.capabilities.extensions?.['io.modelcontextprotocol/skills'] === undefined) {
    throw new Failure('unknown-name', 'This server has no skills: it does not declare the extension');
  }
  const remote = skillsOf(client);
  const { skills, refused } = await remote.list({ signal });
  if (options.verify) {
    if (file !== undefined) throw new Failure('usage', '--verify checks all files of a skill: leave the file out');
    if (name === undefined) return verify(context, remote, skills, refused);
    return verify(context, remote, [await named(name, { remote, skills, refused, signal })], []);
  }
  if (name === undefined) return list(context, skills, refused);
  const skill = await named(name, { remote, skills, refused, signal });
  await (file === undefined ? show(context, remote, skill) : printFile(context, remote, skill, file)).catch(explain);
}

interface Offered {
  readonly remote: RemoteSkills;
  readonly skills: readonly Skill[];
  readonly refused: readonly SkillError[];
  readonly signal: AbortSignal;
}

/** The skill that somebody names or whose address they give. A server may have more than it lists. */
async function named(name: string, { remote, skills, refused, signal }: Offered): Promise<Skill> {
  const found = skills.filter(({ uri, frontmatter }) => frontmatter.name === name || uri === name);
  const [first, second] = found;
  if (second !== undefined) {
    const hint = `Give the address of one: ${found.map(({ uri }) => oneLine(uri)).join(', ')}`;
    throw new Failure('usage', `The server has ${found.length} skills that are named "${name}".`, { hint });
  }
  if (first !== undefined) return first;
  const wrong = refused.find(({ uri }) => uri === name || uri.endsWith(`/${name}/SKILL.md`));
  if (wrong !== undefined) explain(wrong);
  if (name.includes('://')) return remote.get(name, { signal }).catch(explain);
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  throw unknownName('skill', name, names);
}

function list({ output, terminal }: Context, skills: readonly Skill[], refused: readonly SkillError[]): Promise<void> {
  const json = { skills, ...(refused.length > 0 && { refused: refused.map(refusal) }) };
  const text = (): string =>
    [
      ...skills.flatMap((skill) => [
        `${skill.frontmatter.name}  ${sizeText(skill)}`,
        `    ${oneLine(skill.frontmatter.description)}`,
      ]),
      ...refused.map(({ uri, message }) => `(refused) ${oneLine(uri)}: ${oneLine(message)}`),
      ...(skills.length + refused.length === 0 ? ['The server lists no skills; it may have some all the same'] : []),
    ].join('\n');
  return output.long(json, text, { look: pageLook, terminal });
}

async function show({ output, terminal, signal }: Context, remote: RemoteSkills, skill: Skill): Promise<void> {
  const { text } = await remote.load(skill, { signal });
  const files = skill.resources === 'dynamic' ? [] : skill.resources.map(({ uri, size }) => `  ${uri}  ${size} bytes`);
  const shown = (): string =>
    [`${skill.uri}, checked: ${sizeText(skill)}`, '', text.trimEnd(), '', 'Files', ...files].join('\n');
  await output.long({ skill, text }, shown, { look: pageLook, terminal });
}

async function printFile({ output, signal }: Context, remote: RemoteSkills, skill: Skill, file: string): Promise<void> {
  const loaded = await remote.load(skill, { signal });
  output.bytes(await loaded.read(file, { signal }));
}

async function verify(
  { output, signal }: Context,
  remote: RemoteSkills,
  skills: readonly Skill[],
  refused: readonly SkillError[],
): Promise<void> {
  const verdicts: FileVerdict[] = refused.map((error) => ({ uri: error.uri, error }));
  for (const skill of skills) verdicts.push(...(await remote.verify(skill, { signal })));
  const wrong = verdicts.filter(({ error }) => error !== undefined);
  const rows = verdicts.map(({ uri, error }) => ({ uri, ok: error === undefined, ...(error && refusal(error)) }));
  output.value({ files: rows, ok: wrong.length === 0 }, () =>
    verdicts
      .map(
        ({ uri, error }) =>
          `${error === undefined ? 'ok   ' : 'WRONG'} ${oneLine(uri)}${error ? `: ${oneLine(error.message)}` : ''}`,
      )
      .concat(`${verdicts.length - wrong.length} of ${verdicts.length} files are what the list tells`)
      .join('\n'),
  );
  if (wrong.length > 0) throw new Failure('refused', `${wrong.length} of ${verdicts.length} files are wrong`);
}

function refusal({ uri, problem, message }: SkillError): { uri: string; problem: string; message: string } {
  return { uri, problem, message };
}

function sizeText({ resources }: Skill): string {
  if (resources === 'dynamic') return 'made when it is read';
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return `${resources.length} ${resources.length === 1 ? 'file' : 'files'}, ${bytes} bytes`;
}

function explain(error: unknown): never {
  if (!(error instanceof SkillError)) throw error;
  const kind = error.problem === 'unlisted' ? 'unknown-name' : 'refused';
  throw new Failure(kind, `${error.uri}: ${error.message}`, { data: { problem: error.problem }, cause: error });
}
