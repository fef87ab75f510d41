import type { RequestOptions } from '../../../client/request-options.ts';
import type { ReadResourceResult } from '../../../protocol/results.ts';
import { isEqualJson } from '../../../jsonrpc/equal-json.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { textOf } from '../../../jsonrpc/text.ts';
import { fromBase64 } from '../../../runtime/base64.ts';
import { computeDigest, toBytes } from '../skill-files.ts';
import { parseSkillText } from '../frontmatter.ts';
import { type Skill, type SkillFile, skillFileName } from '../skill.ts';
import { relativePath, SkillError } from './parse-skill.ts';

/** The parts of a client that a loaded skill uses. */
export interface ResourceReader {
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
}

/** A skill whose instructions were read and match the list. */
export interface LoadedSkill {
  readonly skill: Skill;
  /** The whole `SKILL.md`. */
  readonly text: string;
  /** The Markdown below the frontmatter. */
  readonly instructions: string;
  /**
   * Reads and verifies a file of the skill, by its relative path or URI. After the first mismatch the skill is
   * unusable: all further reads fail.
   */
  read(path: string, options?: RequestOptions): Promise<Uint8Array>;
}

/** Reads and verifies the `SKILL.md` of a skill, and nothing else. */
export async function loadSkill(client: ResourceReader, skill: Skill, options?: RequestOptions): Promise<LoadedSkill> {
  const { uri, frontmatter } = skill;
  const text = textOf(await readFile(client, skill, uri, options));
  if (text === undefined) throw new SkillError(`${skillFileName} is no text in UTF-8`, 'unreadable', uri);
  const parts = parseInstructions(text, uri);
  if (!isEqualJson(parts.frontmatter, frontmatter)) {
    throw new SkillError(`The head of ${skillFileName} differs from the list`, 'frontmatter', uri);
  }
  const folder = uri.slice(0, -skillFileName.length);
  let broken: SkillError | undefined;
  return {
    skill,
    text,
    instructions: parts.body,
    async read(path, readOptions) {
      if (broken !== undefined) throw broken;
      try {
        return await readFile(client, skill, resolveUri(path, skill, folder), readOptions);
      } catch (error) {
        if (error instanceof SkillError && error.problem !== 'unlisted') broken = error;
        throw error;
      }
    },
  };
}

/** The URI of a file given by its path or URI. Servers differ in which characters they encode. */
function resolveUri(path: string, { resources }: Skill, folder: string): string {
  if (path.startsWith(folder)) return path;
  const listed = resources === 'dynamic' ? [] : resources.filter(({ uri }) => relativePath(folder, uri) === path);
  return listed.length === 1 ? (listed[0] as SkillFile).uri : folder + path.split('/').map(encodePart).join('/');
}

/** Text that can't be encoded is in no list. */
function encodePart(part: string): string {
  return encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD'));
}

/** Reads a file of a skill and verifies its size and digest, if listed. */
export async function readFile(
  client: ResourceReader,
  { uri: head, resources }: Skill,
  uri: string,
  options?: RequestOptions,
): Promise<Uint8Array> {
  const expected = resources === 'dynamic' ? undefined : resources.find((file) => file.uri === uri);
  if (resources !== 'dynamic' && expected === undefined) {
    throw new SkillError('This file is not listed by the skill', 'unlisted', uri);
  }
  if (relativePath(head.slice(0, -skillFileName.length), uri) === undefined) {
    throw new SkillError('This file is not in the folder of the skill', 'unlisted', uri);
  }
  const bytes = decodeContent(await client.readResource(uri, { ...options, fresh: true }), uri);
  if (expected === undefined) return bytes;
  if (bytes.byteLength !== expected.size) {
    throw new SkillError(`It has ${bytes.byteLength} bytes, and the list says ${expected.size}`, 'size', uri);
  }
  if ((await computeDigest(bytes)) !== expected.digest) {
    throw new SkillError('Its contents differ from the list', 'digest', uri);
  }
  return bytes;
}

function decodeContent(result: ReadResourceResult, uri: string): Uint8Array {
  const contents: unknown = result.contents;
  const [only, ...more] = Array.isArray(contents) ? (contents as unknown[]) : [];
  if (!isObject(only) || more.length > 0 || only.uri !== uri) {
    throw new SkillError('The server returned something else than this file', 'unreadable', uri);
  }
  const { text, blob } = only;
  if (typeof text === 'string') return toBytes(text);
  const bytes = typeof blob === 'string' ? fromBase64(blob) : undefined;
  if (bytes === undefined) throw new SkillError('It has neither text nor bytes in base64', 'unreadable', uri);
  return bytes;
}

function parseInstructions(text: string, uri: string): ReturnType<typeof parseSkillText> {
  try {
    return parseSkillText(text);
  } catch (error) {
    throw new SkillError(`${skillFileName} can't be read: ${(error as Error).message}`, 'frontmatter', uri, {
      cause: error,
    });
  }
}
