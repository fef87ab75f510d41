import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { textOf } from '../../jsonrpc/utf8.ts';
import { limits } from '../../limits.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import type { ExtensionMethod } from '../../server/extension.ts';
import type { SkillVisibility } from './skill-visibility.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { Skill } from './skill.ts';
import type { ResourceListing } from '../../protocol/listing.ts';
import type { StoredFile } from './skill-collection.ts';

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
      let room = limits.skills.page.value;
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
