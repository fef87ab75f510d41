import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Result } from '../../protocol/results.ts';
import type { Operation } from '../../server/call/operation.ts';
import type { ExtensionMethod, ServerExtension } from '../../server/extension.ts';
import type { Skill } from './skill.ts';

/**
 * Joins the skills of the parts of a composed server: one list, sorted by URI, and each skill and folder from the part that has
 * it. A cursor is the last URI in base64url in every part, so it holds for all of them.
 */
export function joinSkills(parts: readonly ServerExtension[]): ServerExtension {
  const [first] = parts as [ServerExtension];
  const methods = Object.entries(first.methods ?? {}).map(([name, method]) => {
    const all = parts.flatMap(({ methods: own }) => own?.[name] ?? []);
    const serve = name === 'skills/list' ? serveList(all) : serveFirst(all);
    return [name, { ...method, serve }];
  });
  return { ...first, methods: Object.fromEntries(methods) as Record<string, ExtensionMethod> };
}

function serveList(methods: readonly ExtensionMethod[]): ExtensionMethod['serve'] {
  return async (operation) => {
    const pages = (await Promise.all(methods.map(async (method) => method.serve(operation)))) as Result[];
    const all = pages.flatMap(({ skills }) => skills as readonly Skill[]);
    all.sort((one, other) => (one.uri < other.uri ? -1 : 1));
    // Behind the end of the shortest page, skills of its part are missing.
    let end: { uri: string; cursor: unknown } | undefined;
    for (const { skills, nextCursor } of pages) {
      const last = (skills as readonly Skill[]).at(-1);
      if (nextCursor === undefined || last === undefined) continue;
      if (end === undefined || last.uri < end.uri) end = { uri: last.uri, cursor: nextCursor };
    }
    if (end === undefined) return { skills: all };
    const { uri: lastUri, cursor } = end;
    return { skills: all.filter(({ uri }) => uri <= lastUri), nextCursor: cursor };
  };
}

/** Served by the first part that has it. */
function serveFirst(methods: readonly ExtensionMethod[]): ExtensionMethod['serve'] {
  return async (operation: Operation) => {
    let rejection: unknown;
    for (const method of methods) {
      try {
        return await method.serve(operation);
      } catch (error) {
        if (!(error instanceof ProtocolError) || error.code !== ErrorCode.InvalidParams) throw error;
        rejection ??= error;
      }
    }
    throw rejection;
  };
}
