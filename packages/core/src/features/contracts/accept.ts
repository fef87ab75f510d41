import { canonicalJson } from './canonical-json.ts';
import { definitionKinds, type LockedDefinition, LockError, type LockedServer, quoteName } from './lock.ts';

/**
 * Takes over the definitions with these names from what a server offers now, and leaves the rest as it was locked.
 * `instructions` stands for the instructions of the server. Throws if nothing has a name.
 */
export function acceptDefinitions(locked: LockedServer, offered: LockedServer, names: readonly string[]): LockedServer {
  let server = locked;
  for (const name of names) {
    const changed = definitionKinds.filter(({ member }) =>
      [locked, offered].some((each) => Object.hasOwn(each[member], name)),
    );
    if (changed.length === 0 && name !== 'instructions') {
      throw new LockError(
        `There is no tool, resource, template or prompt ${quoteName(name)}, neither locked nor offered`,
      );
    }
    for (const { member } of changed) server = { ...server, [member]: take(server[member], offered[member], name) };
    if (name === 'instructions') server = withInstructions(server, offered.instructions);
  }
  return canonicalJson(server) === canonicalJson(locked) ? locked : server;
}

type Definitions = Readonly<Record<string, LockedDefinition<unknown>>>;

function take(locked: Definitions, offered: Definitions, name: string): Definitions {
  const rest = Object.entries(locked).filter(([each]) => each !== name);
  const taken = Object.entries(offered).filter(([each]) => each === name);
  return Object.fromEntries([...rest, ...taken]);
}

function withInstructions({ instructions: _, ...rest }: LockedServer, instructions: string | undefined): LockedServer {
  return { ...rest, ...(instructions !== undefined && { instructions }) };
}
