import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { textOf } from '../../jsonrpc/utf8.ts';
import { limits } from '../../limits.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import type { ExtensionMethod } from '../../server/extension.ts';
import type { SkillsByCaller } from './skill-visibility.ts';
import type { Manifests } from './manifest-cache.ts';
import type { Skill } from './skill.ts';

const encoder = new TextEncoder();

/** Serves `skills/list`: in the order of addresses, so that a cursor holds also where skills come and go. */
export function listSkills(served: SkillsByCaller, manifests: Manifests): ExtensionMethod {
  return {
    caches: true,
    servesEveryone: true,
    async serve(operation) {
      const { cursor } = operation.params;
      const after = cursor === undefined ? '' : placeOf(cursor);
      const page: Skill[] = [];
      let room = limits.skills.page.value;
      const rest = served.seenBy(operation).skills.filter(({ uri }) => uri > after);
      for (const skill of rest) {
        const entry = await manifests.of(skill);
        room -= JSON.stringify(entry).length;
        if (room < 0 && page.length > 0) return { skills: page, nextCursor: cursorOf(page.at(-1) as Skill) };
        page.push(entry);
      }
      return { skills: page };
    },
  };
}

function cursorOf({ uri }: Skill): string {
  return toBase64Url(encoder.encode(uri));
}

function placeOf(cursor: unknown): string {
  const uri = typeof cursor === 'string' ? textOf(fromBase64(cursor) ?? new Uint8Array()) : undefined;
  if (uri?.startsWith('skill://')) return uri;
  const message = 'Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page';
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}
