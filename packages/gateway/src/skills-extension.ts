import {
  ErrorCode,
  type ExtensionMethod,
  type Operation,
  ProtocolError,
  type Result,
  type ServerExtension,
} from '@ccmcp/core';
import type { ForwardedSkills } from './forwarded-skills.ts';

/** Finds the skills for the caller of a request; undefined: there are none. Loads the code that serves them. */
export type FindSkills = (operation: Operation) => Promise<ForwardedSkills | undefined>;

/** The skills extension for an upstream. */
export function skillsExtension(find: FindSkills): ServerExtension {
  const serve = (
    forward: (skills: ForwardedSkills, operation: Operation) => Promise<Result | undefined>,
  ): ExtensionMethod => ({
    servesEveryone: true,
    serve: async (operation) => {
      const skills = await find(operation);
      return (skills && (await forward(skills, operation))) ?? rejectUnknown(operation);
    },
  });
  return {
    id: 'io.modelcontextprotocol/skills',
    settings: { directoryRead: true },
    methods: {
      'skills/list': {
        ...serve((skills, operation) => skills.list(operation)),
        caches: true,
      },
      'skills/get': { ...serve((skills, operation) => skills.get(operation)), caches: true },
      'resources/directory/read': serve((skills, operation) => skills.readDirectory(operation)),
    },
    join: joinOnDemand,
  };
}

function rejectUnknown({ method, params }: Operation): Result {
  if (method === 'skills/list') return { skills: [] };
  const uri = JSON.stringify(String(params.uri).slice(0, 200));
  throw new ProtocolError(ErrorCode.InvalidParams, `There is no skill at ${uri}`);
}

/** Joins the skills of the parts of a composed server, with code that is loaded when they are first requested. */
function joinOnDemand(parts: readonly ServerExtension[]): ServerExtension {
  const [first] = parts as [ServerExtension];
  const load = async (): Promise<ServerExtension> => (await import('@ccmcp/core/skills')).joinSkills(parts);
  let joined: Promise<ServerExtension> | undefined;
  const methods = Object.entries(first.methods ?? {}).map(([name, method]) => {
    const serve: ExtensionMethod['serve'] = async (operation) => {
      joined ??= load();
      return ((await joined).methods?.[name] ?? method).serve(operation);
    };
    return [name, { ...method, serve }];
  });
  return { ...first, methods: Object.fromEntries(methods) as Record<string, ExtensionMethod> };
}
