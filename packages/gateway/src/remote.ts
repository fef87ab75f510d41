import {
  type Auth,
  createServer,
  limits,
  type ListSource,
  type Operation,
  type Outcome,
  type Server,
  type ServerExtension,
  type Tool,
} from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { groups } from '@ccmcp/core/groups';
import { tasks } from '@ccmcp/core/tasks';
import { CallerRemotes } from './caller-remotes.ts';
import type { ForwardedSkills } from './forwarded-skills.ts';
import type { Gateway } from './gateway.ts';
import { checkOptions } from './check-options.ts';
import { type FindSkills, skillsExtension } from './skills-extension.ts';
import type { RemoteGroup, RemoteOptions, RemoteStatus, RemoteTarget } from './remote-options.ts';
import type { CallerCredentials } from './credentials/caller-credentials.ts';
import type { Front } from './lists/watched-resources.ts';

/** A server that forwards everything to an upstream: a part for `compose`, or a complete server. */
export interface Remote extends Server {
  readonly status: RemoteStatus;
  /** Closes the upstream. */
  close(): Promise<void>;
}

/** The key in `_meta` of a list that names the upstreams with stale entries. */
const staleKey = 'io.github.ccmcp/stale';

/** Serves the tasks of remotes, unless a part of the author has options for them. */
const sharedTasks = yieldToOthers(declareAlways(tasks()));

/** Creates a part for `compose` from another server, which is started on first use. */
export function remote(options: RemoteOptions): Remote {
  checkOptions(options);
  const { credentials } = options;
  const gateway = credentials === undefined ? new LazyGateway(options) : new CallerGateway(options, credentials);
  const { server } = gateway;
  return Object.defineProperties(server, {
    status: { get: () => gateway.status },
    close: { value: () => gateway.close() },
  }) as Remote;
}

/** The server of one upstream, for all callers or for one. What forwards to the upstream is loaded on first use. */
class LazyGateway {
  readonly server: Server;
  readonly #options: RemoteOptions;
  readonly #front: Front | undefined;
  #loading: Promise<Gateway> | undefined;
  #gateway: Gateway | undefined;
  #isClosed = false;

  constructor(options: RemoteOptions, front?: Front) {
    const { name } = options;
    this.#options = options;
    this.#front = front;
    this.server = emptyServer(options, {
      instructions: () => options.instructions ?? this.#gateway?.instructions,
      skills: () => this.skills(),
      listSource: {
        fill: (operation) => this.#fill(operation),
        meta: (operation) => (this.#gateway?.isStale(operation) === false ? undefined : { [staleKey]: [name] }),
        forCaller: (operation) => this.#gateway?.lists.items.serverFor(operation),
        unlisted: (uri) => this.#gateway?.lists.unlisted(uri),
        unknown: () =>
          this.#gateway?.readers.isKnown === true
            ? this.#gateway.lists.held.summary
            : whyUnknown(name, this.#gateway?.status.lastError),
      },
    });
    if (front !== undefined) {
      this.server.use(async (operation, next) => {
        const outcome = await next();
        return this.#gateway?.signInTool?.toShown(operation, outcome) ?? outcome;
      });
    }
    this.server.use((operation, next) => (isForwarded(operation) ? this.#serve(operation, next) : next()));
  }

  /** The skills of the upstream. */
  async skills(): Promise<ForwardedSkills> {
    return (await this.#load()).skills;
  }

  get status(): RemoteStatus {
    return this.#gateway?.status ?? idleStatus(this.#options.name);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#loading)?.close();
  }

  /** Loads the code of gateways, and creates that of this upstream. */
  #load(): Promise<Gateway> {
    this.#loading ??= this.#create().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #create(): Promise<Gateway> {
    const module = await import('./gateway.ts');
    const gateway = new module.Gateway({
      options: this.#options,
      server: this.server,
      front: this.#front,
      createServer: () =>
        emptyServer(this.#options, {
          instructions: () => undefined,
          skills: () => this.skills(),
          listSource: { fill: () => undefined },
        }),
    });
    this.#gateway = gateway;
    if (this.#isClosed) await gateway.close();
    return gateway;
  }

  #fill(operation: Operation): Promise<unknown> | undefined {
    return this.#gateway === undefined
      ? this.#load().then((gateway) => gateway.fill(operation))
      : this.#gateway.fill(operation);
  }

  #serve(operation: Operation, next: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    return this.#gateway === undefined
      ? this.#load().then((gateway) => gateway.serve(operation, next))
      : this.#gateway.serve(operation, next);
  }
}

/** An upstream with separate connections, lists and suspended calls per caller. */
class CallerGateway {
  readonly server: Server;
  readonly #name: string;
  readonly #callers: CallerRemotes<LazyGateway>;

  constructor(options: RemoteOptions, credentials: CallerCredentials) {
    // The group is made of what each caller's server lists.
    const { group: _, ...ungrouped } = options;
    const { name, target, maxCallers: max = limits.gateway.maxCallers.value } = options;
    this.#name = name;
    const create = (caller: Auth): LazyGateway | undefined => {
      const auth = credentials.authFor(caller);
      if (auth === undefined) return undefined;
      const own: RemoteTarget = { ...(target as { url: string | URL }), auth };
      return new LazyGateway(
        { ...ungrouped, target: own },
        { server: this.server, to: { principal: caller.principal } },
      );
    };
    this.#callers = new CallerRemotes({ create, max });
    this.server = emptyServer(options, {
      instructions: () => options.instructions,
      skills: async (operation) => this.#callers.for(operation)?.skills(),
      listSource: { fill: () => undefined, forCaller: (operation) => this.#callers.for(operation)?.server },
    });
  }

  get status(): RemoteStatus {
    const all = this.#callers.all.map(({ status }) => status);
    const sum = (member: 'connections' | 'activeCalls' | 'suspendedCalls' | 'restarts'): number =>
      all.reduce((total, status) => total + status[member], 0);
    const states = (['up', 'starting', 'down'] as const).find((state) => all.some((status) => status.state === state));
    const latest = all.findLast(({ protocolVersion }) => protocolVersion !== undefined);
    return {
      name: this.#name,
      state: states ?? 'idle',
      protocolVersion: latest?.protocolVersion,
      tools: Math.max(0, ...all.map(({ tools }) => tools)),
      connections: sum('connections'),
      activeCalls: sum('activeCalls'),
      suspendedCalls: sum('suspendedCalls'),
      latencyMs: latest?.latencyMs,
      restarts: sum('restarts'),
      lastError: all.findLast(({ lastError }) => lastError !== undefined)?.lastError,
      stale: all.some(({ stale }) => stale),
      warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
      callers: all.length,
    };
  }

  close(): Promise<void> {
    return this.#callers.close();
  }
}

/** A server whose lists are filled from an upstream. */
function emptyServer(
  { name, tasks: own, group }: RemoteOptions,
  {
    instructions,
    skills,
    listSource,
  }: { instructions: () => string | undefined; skills: FindSkills; listSource: ListSource },
): Server {
  return createServer({
    name,
    version: '1.0.0',
    instructions,
    tools: [],
    resources: [],
    templates: [],
    prompts: [],
    capabilities: { completions: true },
    // Upstream requests have their own limits, and the upstream handles idempotency keys.
    handlerTimeoutMs: Number.POSITIVE_INFINITY,
    idempotency: false,
    extensions: [
      own ?? sharedTasks,
      apps(),
      skillsExtension(skills),
      ...(group === undefined ? [] : [groupOf(name, group, instructions)]),
    ],
    listSource,
  });
}

/** All of an upstream as one group. */
function groupOf(upstream: string, group: true | RemoteGroup, instructions: () => string | undefined): ServerExtension {
  const {
    name = toGroupName(upstream),
    description = `What "${upstream}" offers`,
    ...more
  } = group === true ? {} : group;
  return groups([{ name, description, instructions, tools: ['*'], prompts: ['*'], resources: ['*'], ...more }]);
}

function toGroupName(upstream: string): string {
  const words =
    upstream
      .slice(0, 64)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  if (words.length > 0) return words.join('-');
  throw new TypeError(`Upstream "${upstream}": its group needs a "name" of a-z, 0-9 and hyphens`);
}

/** Gives the options of another part precedence in a composed server. */
function yieldToOthers(extension: ServerExtension): ServerExtension {
  const { join } = extension;
  const yielding: ServerExtension = {
    ...extension,
    join: (parts) => (join as Join)([...parts.filter((part) => part !== yielding), yielding]),
  };
  return yielding;
}

type Join = NonNullable<ServerExtension['join']>;

/** Declares tasks before the upstream has started, because the list of task tools is unknown until then. */
function declareAlways(extension: ServerExtension): ServerExtension {
  const { legacyForm } = extension;
  if (legacyForm === undefined) return extension;
  const some: Tool = { name: 'some', task: 'optional', call: () => '' };
  return { ...extension, legacyForm: { ...legacyForm, capabilities: () => legacyForm.capabilities([some]) } };
}

const forwardedMethods = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

function isForwarded({ method }: Operation): boolean {
  return forwardedMethods.has(method);
}

/** Why the lists of an upstream are not known. */
function whyUnknown(name: string, lastError: string | undefined): string {
  return `the lists of "${name}" are not known${lastError === undefined ? ' yet' : `: ${lastError}`}`;
}

/** The status of an upstream that was never needed. */
function idleStatus(name: string): RemoteStatus {
  return {
    name,
    state: 'idle',
    protocolVersion: undefined,
    tools: 0,
    connections: 0,
    activeCalls: 0,
    suspendedCalls: 0,
    latencyMs: undefined,
    restarts: 0,
    lastError: undefined,
    stale: false,
    warnings: [],
  };
}
