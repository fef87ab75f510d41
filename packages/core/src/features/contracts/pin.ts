import type { Client } from '../../client/client.ts';
import type { DefinitionGuard } from '../../client/definition-guard.ts';
import { internalsOf } from '../../client/internals.ts';
import type { Change } from '../../client/subscriptions/subscription.ts';
import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { canonicalJson } from './canonical-json.ts';
import type { DefinitionChange } from './change.ts';
import { toDefinition } from './definition.ts';
import { compareInstructions, diffDefinition } from './diff-locks.ts';
import { formatChanges, formatItem } from './format-changes.ts';
import { type DefinitionKind, definitionKinds, LockError, type LockedServer, quoteName } from './lock.ts';
import type { Definition } from './suspicion/suspicion.ts';

/** A definition that differs from the lock. */
export interface HeldBack {
  readonly item: DefinitionChange['item'];
  /** The name or URI; empty for the server itself, whose instructions differ. */
  readonly name: string;
  readonly changes: readonly DefinitionChange[];
  /** The changes for people, and what to do. Escaped. */
  readonly message: string;
  /** Lets this version through from now on. The lock itself stays as it is. */
  accept(): void;
}

/** A request used a definition that is held back. The message shows what changed. */
export class HeldBackError extends LockError {
  override name = 'HeldBackError';

  constructor(readonly changes: readonly DefinitionChange[]) {
    const [first] = changes;
    const [, ...lines] = formatChanges(changes).split('\n');
    const item = first === undefined ? 'definition' : formatItem(first);
    super(`The ${item} is held back, because it differs from the lock:\n${lines.join('\n')}\n${advice(first?.name)}`);
  }
}

function advice(name = ''): string {
  return `If the change is right, accept it: ccmcp lock TARGET --accept ${quoteName(name === '' ? 'instructions' : name)}`;
}

/** The options of a pinned connection. */
export interface PinOptions {
  readonly lock: LockedServer;
  onHeldBack?(held: HeldBack): void;
}

/** Throws if the option `lock` is not one target of a lock: a missing one must not mean that nothing is pinned. */
export function toLockedServer(lock: LockedServer | undefined): LockedServer {
  if (isObject(lock) && definitionKinds.every(({ member }) => isObject(lock[member]))) return lock;
  throw new TypeError('"lock" must be one target of a lock: lockedTarget(lock, "NAME")');
}

/** Holds back the definitions of a connected server that differ from a lock, now and when its lists change. */
export async function pinDefinitions(client: Client, options: PinOptions): Promise<void> {
  const { connection } = internalsOf(client);
  const pinned = new PinnedDefinitions(client, options);
  connection.guard = pinned;
  connection.incoming.changeListeners.add((change) => pinned.onChange(change));
  connection.lifecycle.sessionRestorers.add(async () => pinned.onNewSession());
  await pinned.readAll();
}

/** The member of a list result that has the rows. */
const rowMembers = { tool: 'tools', resource: 'resources', template: 'resourceTemplates', prompt: 'prompts' } as const;

/** The maximum definitions of a kind that are held back by name, beyond those that the lock has. */
const maxHeld = 10_000;

/** The definitions of one kind. */
interface Pinned {
  readonly kind: DefinitionKind;
  /** The canonical JSON of what may be used, by name. */
  readonly approved: Map<string, string>;
  /** What the server offers instead, by name. */
  readonly held: Map<string, object>;
  /** True until the list is read again. */
  isStale: boolean;
  reading: Promise<void> | undefined;
}

/** Compares the definitions of a server with a lock as they pass, and holds back those that differ. */
class PinnedDefinitions implements DefinitionGuard {
  readonly #client: Client;
  readonly #options: PinOptions;
  readonly #kinds: readonly Pinned[];
  readonly #toolNames: readonly string[];
  #instructions: string | undefined;
  /** The instructions that were reported last. */
  #reported: string | undefined;

  constructor(client: Client, options: PinOptions) {
    const { lock } = options;
    this.#client = client;
    this.#options = options;
    this.#instructions = lock.instructions;
    this.#toolNames = Object.keys(lock.tools);
    this.#kinds = definitionKinds.map((kind) => ({
      kind,
      approved: new Map(
        Object.entries(lock[kind.member]).map(([name, { definition }]) => [name, canonicalJson(definition)]),
      ),
      held: new Map(),
      isStale: false,
      reading: undefined,
    }));
  }

  /** Not `async`: an approved call costs a lookup, and no further promise. */
  request(method: string, params: Params | undefined, send: () => Promise<Result>): Promise<Result> {
    const used = usedBy(method, params);
    if (used === undefined) {
      const listed = this.#kinds.find(({ kind }) => kind.method === method);
      return listed === undefined ? send() : send().then((result) => this.#filter(listed, result));
    }
    const pinned = this.#of(used.kind);
    const sendApproved = (): Promise<Result> => {
      const changes = this.#changesUnlessApproved(pinned, used.name);
      return changes === undefined ? send() : Promise.reject(new HeldBackError(changes));
    };
    const reading = this.#refresh(pinned);
    return reading === undefined ? sendApproved() : reading.then(sendApproved);
  }

  allowsInstructions(instructions: string | undefined): boolean {
    const [was, is] = [this.#instructions ?? '', instructions ?? ''];
    if (was === is) return true;
    if (is !== '' && is !== this.#reported) {
      this.#reported = is;
      const item = { target: this.#target, item: 'server', name: '' } as const;
      const changes = compareInstructions(was, is).map((change) => ({ ...item, ...change }));
      this.#report('server', '', changes, () => {
        this.#instructions = instructions;
      });
    }
    return false;
  }

  /** Reads all lists that the server has. */
  async readAll(): Promise<void> {
    void this.#client.instructions;
    await Promise.all(this.#kinds.map((pinned) => this.#read(pinned)));
  }

  onChange({ kind }: Change): void {
    for (const pinned of this.#kinds) {
      const { member } = pinned.kind;
      if (member === kind || (member === 'templates' && kind === 'resources')) pinned.isStale = true;
    }
  }

  /** The server was restarted, or replaced. */
  onNewSession(): void {
    for (const pinned of this.#kinds) pinned.isStale = true;
  }

  #of(wanted: DefinitionKind['kind']): Pinned {
    return this.#kinds.find(({ kind }) => kind.kind === wanted) as Pinned;
  }

  /** Reads a list again if it changed; undefined if there is nothing to wait for. */
  #refresh(pinned: Pinned): Promise<void> | undefined {
    if (!pinned.isStale) return pinned.reading;
    pinned.isStale = false;
    const reading = this.#read(pinned)
      .catch((error: unknown) => {
        pinned.isStale = true;
        throw error;
      })
      .finally(() => {
        if (pinned.reading === reading) pinned.reading = undefined;
      });
    pinned.reading = reading;
    return reading;
  }

  /** Requests a list: its rows are compared as they pass. */
  async #read({ kind: { kind } }: Pinned): Promise<void> {
    const { tools, resources, prompts } = this.#client.capabilities;
    const fresh = { fresh: true };
    if (kind === 'tool') return tools && drain(this.#client.listTools(fresh).pages());
    if (kind === 'prompt') return prompts && drain(this.#client.listPrompts(fresh).pages());
    if (resources === undefined) return undefined;
    if (kind === 'resource') return drain(this.#client.listResources(fresh).pages());
    try {
      await drain(this.#client.listResourceTemplates(fresh).pages());
    } catch (error) {
      // Servers with resources need not have templates.
      if (!(error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound)) throw error;
    }
  }

  #filter(pinned: Pinned, result: Result): Result {
    const member = rowMembers[pinned.kind.kind];
    const rows = result[member];
    if (!Array.isArray(rows)) return result;
    const approved = rows.filter((row) => this.#isApproved(pinned, row));
    return approved.length === rows.length ? result : { ...result, [member]: approved };
  }

  #isApproved(pinned: Pinned, row: unknown): boolean {
    const { kind, approved, held } = pinned;
    const read = toDefinition(kind, row);
    if (read === undefined) return false;
    const { name, definition } = read;
    const text = canonicalJson(definition);
    if (approved.get(name) === text) {
      held.delete(name);
      return true;
    }
    const known = held.get(name);
    const isKnown = known !== undefined && canonicalJson(known) === text;
    if (isKnown || (held.size >= maxHeld && !approved.has(name))) return false;
    held.set(name, definition);
    this.#report(kind.kind, name, this.#changesOf(pinned, name), () => {
      approved.set(name, text);
      held.delete(name);
      this.#announce(kind);
    });
    return false;
  }

  /** What changed in a definition that is held back; undefined if it may be used. */
  #changesUnlessApproved(pinned: Pinned, name: string): DefinitionChange[] | undefined {
    const { kind, approved, held } = pinned;
    // The contents of resources need not be listed.
    const needsApproval = kind.kind === 'tool' || kind.kind === 'prompt';
    if (!held.has(name) && (approved.has(name) || !needsApproval)) return undefined;
    return this.#changesOf(pinned, name);
  }

  #changesOf({ kind, held }: Pinned, name: string): DefinitionChange[] {
    const { lock } = this.#options;
    const locked = Object.hasOwn(lock[kind.member], name) ? lock[kind.member][name]?.definition : undefined;
    const item = { target: this.#target, item: kind.kind, name };
    const offered = held.get(name) as Definition | undefined;
    if (offered === undefined) return [{ ...item, kind: 'undecided', path: '', text: 'it is not in the lock' }];
    const changes = diffDefinition(locked, offered, this.#toolNames);
    return changes.map((change) => ({ ...item, ...change }));
  }

  get #target(): string {
    const name: unknown = this.#client.serverInfo?.name;
    return typeof name === 'string' ? name : 'the server';
  }

  #report(item: HeldBack['item'], name: string, changes: readonly DefinitionChange[], accept: () => void): void {
    const own = changes.map((change) => ({ ...change, target: this.#target, item, name }));
    const { message } = new HeldBackError(own);
    const { onHeldBack } = this.#options;
    if (onHeldBack !== undefined) onHeldBack({ item, name, changes: own, message, accept });
    else internalsOf(this.#client).connection.warn(message);
  }

  /** Cached lists lack what is approved now, and who subscribed to changes wants to know. */
  #announce({ member }: DefinitionKind): void {
    const kind = member === 'templates' ? 'resources' : member;
    const { changeListeners } = internalsOf(this.#client).connection.incoming;
    for (const listener of Array.from(changeListeners)) listener({ kind }, {});
  }
}

/** The definition that a request uses. */
function usedBy(
  method: string,
  params: Params | undefined,
): { kind: DefinitionKind['kind']; name: string } | undefined {
  switch (method) {
    case 'tools/call':
      return { kind: 'tool', name: String(params?.name) };
    case 'prompts/get':
      return { kind: 'prompt', name: String(params?.name) };
    case 'resources/read':
    case 'resources/subscribe':
      return { kind: 'resource', name: String(params?.uri) };
    case 'completion/complete': {
      const ref = isObject(params?.ref) ? params.ref : {};
      return ref.type === 'ref/prompt'
        ? { kind: 'prompt', name: String(ref.name) }
        : { kind: 'template', name: String(ref.uri) };
    }
    default:
      return undefined;
  }
}

async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}
