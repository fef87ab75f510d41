import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { textOf } from '../../jsonrpc/text.ts';
import type { ResourceListing } from '../../protocol/listing.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import type { Operation } from '../../server/call/operation.ts';
import type { ExtensionMethod } from '../../server/extension.ts';
import { filterVisible, type SkillCollection, type StoredFile, type StoredSkill } from './skill-collection.ts';
import { computeDigest } from './skill-files.ts';
import type { Skill, SkillFile } from './skill.ts';

/** The approximate length of a page of the skill list, in characters. */
const maxPage = 256 * 1024;

const encoder = new TextEncoder();

/** Serves `skills/list`, sorted by URI, so that a cursor stays valid when skills come and go. */
export function listSkills(served: SkillVisibility, manifests: ManifestCache): ExtensionMethod {
  return {
    caches: true,
    servesEveryone: true,
    async serve(operation) {
      const { cursor } = operation.params;
      const after = cursor === undefined ? '' : decodeCursor(cursor);
      const page: Skill[] = [];
      let room = maxPage;
      const rest = served.visibleTo(operation).skills.filter(({ uri }) => uri > after);
      for (const skill of rest) {
        const entry = await manifests.get(skill);
        room -= JSON.stringify(entry).length;
        if (room < 0 && page.length > 0) return { skills: page, nextCursor: encodeCursor(page.at(-1) as Skill) };
        page.push(entry);
      }
      return { skills: page };
    },
  };
}

function encodeCursor({ uri }: Skill): string {
  return toBase64Url(encoder.encode(uri));
}

function decodeCursor(cursor: unknown): string {
  const uri = typeof cursor === 'string' ? textOf(fromBase64(cursor) ?? new Uint8Array()) : undefined;
  if (uri?.startsWith('skill://')) return uri;
  const message = 'Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page';
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}

/** Serves `skills/get`. */
export function getSkill(served: SkillVisibility, manifests: ManifestCache): ExtensionMethod {
  return {
    caches: true,
    servesEveryone: true,
    async serve(operation) {
      const { uri } = operation.params;
      if (typeof uri !== 'string') {
        throw new ProtocolError(ErrorCode.InvalidParams, '"uri" must be a string: the address of a SKILL.md');
      }
      const skill = served.visibleTo(operation).skills.find((each) => each.uri === uri);
      if (skill === undefined) {
        throw new ProtocolError(ErrorCode.InvalidParams, `There is no skill at ${JSON.stringify(uri.slice(0, 200))}`);
      }
      return { skill: await manifests.get(skill) };
    },
  };
}

/** Serves `resources/directory/read`: the entries of a skill's folder, on one page. */
export function readDirectory(served: SkillVisibility): ExtensionMethod {
  return {
    servesEveryone: true,
    serve(operation) {
      const { uri, cursor } = operation.params;
      const children = typeof uri === 'string' ? served.visibleTo(operation).folders.get(uri) : undefined;
      if (children === undefined) {
        const given = JSON.stringify(typeof uri === 'string' ? uri.slice(0, 200) : null);
        const hint = 'name a folder of a skill, without a slash at its end';
        throw new ProtocolError(ErrorCode.InvalidParams, `There is no folder at ${given}: ${hint}`);
      }
      if (cursor !== undefined) throw new ProtocolError(ErrorCode.InvalidParams, 'Invalid cursor: there is one page');
      return { resources: [...children].map(([address, child]) => toListing(address, child)) };
    },
  };
}

function toListing(uri: string, child: StoredFile | 'folder'): ResourceListing {
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
  if (child === 'folder') return { uri, name, mimeType: 'inode/directory' };
  return { uri, name, mimeType: child.mimeType, size: child.bytes.byteLength };
}

/** Caches the list entries of skills. Digests are computed lazily, once. */
export class ManifestCache {
  readonly #entries = new WeakMap<StoredSkill, Promise<Skill>>();
  readonly #files = new WeakMap<StoredFile, Promise<SkillFile>>();

  /** Reuses the digest of another file with the same content. */
  reuse(file: StoredFile, former: StoredFile): void {
    const known = this.#files.get(former);
    if (known !== undefined) this.#files.set(file, known);
  }

  get(skill: StoredSkill): Promise<Skill> {
    const known = this.#entries.get(skill) ?? this.#createEntry(skill);
    this.#entries.set(skill, known);
    return known;
  }

  async #createEntry({ uri, frontmatter, files }: StoredSkill): Promise<Skill> {
    return { uri, frontmatter, resources: await Promise.all(files.map((file) => this.#describe(file))) };
  }

  #describe(file: StoredFile): Promise<SkillFile> {
    const known = this.#files.get(file) ?? describeFile(file);
    this.#files.set(file, known);
    return known;
  }
}

async function describeFile({ uri, bytes }: StoredFile): Promise<SkillFile> {
  return { uri, digest: await computeDigest(bytes), size: bytes.byteLength };
}

/** The maximum cached lists by missing scopes. */
const maxVariants = 16;

/** The current skills, and which of them each caller may see. */
export class SkillVisibility {
  #collection: SkillCollection;
  /** The distinct scope requirements. */
  #requiredScopes: readonly StoredSkill['scopes'][] = [];
  /** Filtered collections by missing requirements. There are few at a time. */
  readonly #variants = new Map<string, SkillCollection>();

  constructor(collection: SkillCollection) {
    this.#collection = collection;
    this.collection = collection;
  }

  /** The current skills, before access control. */
  get collection(): SkillCollection {
    return this.#collection;
  }

  set collection(collection: SkillCollection) {
    this.#collection = collection;
    const demands = new Map<string, StoredSkill['scopes']>();
    for (const { scopes } of collection.skills) {
      if (scopes !== undefined) demands.set(scopes.join(' '), scopes);
    }
    this.#requiredScopes = [...demands.values()];
    this.#variants.clear();
  }

  /** The skills that a caller may see. The response is private to the caller. */
  visibleTo({ has, keepPrivate }: Pick<Operation, 'has' | 'keepPrivate'>): SkillCollection {
    if (this.#requiredScopes.length === 0) return this.#collection;
    keepPrivate();
    const missing = this.#requiredScopes.flatMap((scopes, index) => (has(scopes) ? [] : [index])).join(' ');
    if (missing === '') return this.#collection;
    const known = this.#variants.get(missing) ?? filterVisible(this.#collection, has);
    // Evicts the oldest.
    if (!this.#variants.has(missing) && this.#variants.size >= maxVariants) {
      this.#variants.delete(this.#variants.keys().next().value as string);
    }
    this.#variants.set(missing, known);
    return known;
  }
}
