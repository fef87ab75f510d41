import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createServer, type LogLevel } from '@ccmcp/core';
import { type ComposedServer, compose } from '@ccmcp/core/compose';
import type { HttpAuth } from '@ccmcp/core/client';
import { type Remote, type RemoteOptions, remote, type RemoteStatus } from '@ccmcp/gateway';
import type { SignIns } from '@ccmcp/gateway/credentials';
import manifest from '../../package.json' with { type: 'json' };
import { hasCredentials } from '../config/server-entry.ts';
import { ownGroup } from './file-groups.ts';
import type { UpstreamSettings } from './gateway-file.ts';

/** The status of an upstream, for `ccmcp gateway status`. */
export interface UpstreamStatus extends RemoteStatus {
  /** The error in the file, while its last valid entry is still served. */
  readonly mistake?: string;
}

/** The upstreams of a gateway, and the server that shows them. */
export interface Upstreams {
  readonly server: ComposedServer;
  status(): UpstreamStatus[];
  /** Replaces the upstreams. Unchanged ones continue; removed ones are closed after their calls. */
  apply(wanted: ReadonlyMap<string, UpstreamSettings>): Applied;
  close(): Promise<void>;
}

/** The names of the changed upstreams. */
export interface Applied {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** Settings common to the upstreams of a gateway. */
export interface UpstreamsOptions {
  logLevel?: LogLevel | undefined;
  /** Lets upstreams have groups, which is declared to clients. */
  hasGroups: boolean;
  /** The credentials for a server at an address. */
  authFor(url: URL): HttpAuth;
  /** Lets callers sign in. Absent: there is one user, whose credentials apply to all upstreams. */
  signIns?: SignIns | undefined;
}

interface Running {
  readonly settings: UpstreamSettings;
  readonly remote: Remote;
  /** The running calls. */
  readonly calls: { running: number };
}

/** Creates the server of a gateway without upstreams. */
export function createUpstreams({ logLevel, hasGroups, ...credentials }: UpstreamsOptions): Upstreams {
  const running = new Map<string, Running>();
  const closing = new Set<Promise<void>>();
  // Declares to clients what any upstream may offer, also while there is none.
  const empty = createServer({ name: 'empty', version: manifest.version });
  const base = remote({
    name: 'gateway',
    target: { server: empty },
    idleMs: Number.POSITIVE_INFINITY,
    ...(hasGroups && { group: ownGroup }),
  });
  const server = compose(
    { [baseLabel]: base },
    { name: 'ccmcp-gateway', version: manifest.version, ...(logLevel && { logLevel }) },
  );

  /** Starts an upstream, before another one or as the last. */
  function start(name: string, settings: UpstreamSettings, before?: string): void {
    const { group, ...ungrouped } = settings;
    const shown = hasGroups ? settings : ungrouped;
    const made = remote(toRemoteOptions(name, shown, credentials));
    const calls = { running: 0 };
    made.use(async (_, next) => {
      calls.running += 1;
      try {
        return await next();
      } finally {
        calls.running -= 1;
      }
    });
    running.set(name, { settings, remote: made, calls });
    server.parts.add(name, made, { before });
  }

  function stop(name: string): void {
    const ended = running.get(name) as Running;
    running.delete(name);
    server.parts.remove(name);
    const closed = drain(ended).catch((error: unknown) =>
      server.reportError(`The upstream "${name}" could not be closed`, error),
    );
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  }

  return {
    server,
    status: () => server.parts.labels().flatMap((name) => running.get(name)?.remote.status ?? []),
    apply(wanted) {
      const isChanged = (name: string): boolean => !isDeepStrictEqual(running.get(name)?.settings, wanted.get(name));
      const removed = [...running.keys()].filter((name) => !wanted.has(name));
      const changed = [...running.keys()].filter((name) => wanted.has(name) && isChanged(name));
      const added = [...wanted.keys()].filter((name) => !running.has(name));
      const order = server.parts.labels().filter((name) => !removed.includes(name));
      for (const name of [...removed, ...changed]) stop(name);
      // The last first: each keeps its place, before the one that followed it.
      for (const name of changed.toReversed()) {
        start(name, wanted.get(name) as UpstreamSettings, order[order.indexOf(name) + 1]);
      }
      for (const name of added) start(name, wanted.get(name) as UpstreamSettings);
      return { added, changed, removed };
    },
    async close() {
      await Promise.all([base, ...Array.from(running.values(), (each) => each.remote)].map((each) => each.close()));
    },
  };
}

/** No server can have this name in a file. */
const baseLabel = '';

/** The poll interval of a removed upstream with running calls. */
const drainPollMs = 50;

/** Closes an upstream after its calls, whose timeouts bound the wait. */
async function drain({ remote: ended, calls }: Running): Promise<void> {
  while (calls.running > 0 || ended.status.activeCalls > 0) await delay(drainPollMs, undefined, { ref: false });
  await ended.close();
}

function toRemoteOptions(
  name: string,
  { entry, sse, auth, toolArgs, timeoutMs, version, ...shown }: UpstreamSettings,
  { authFor, signIns }: Omit<UpstreamsOptions, 'logLevel' | 'hasGroups'>,
): RemoteOptions {
  const options = {
    ...shown,
    ...(toolArgs && { args: toolArgs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    name,
    client: {
      clientInfo: { name: 'ccmcp-gateway', version: manifest.version },
      ...(version !== undefined && { version }),
    },
  };
  if (entry.kind === 'stdio') {
    const { command, args, env, cwd } = entry;
    return { ...options, target: { command, args, env, ...(cwd !== undefined && { cwd }) } };
  }
  const { url, headers } = entry;
  const credentials = auth === 'user' ? signIns?.credentials({ name, url }) : undefined;
  const usesLogin = auth !== 'none' && credentials === undefined && !hasCredentials(headers);
  const target = {
    url,
    headers,
    ...(sse && { transport: 'sse' as const }),
    ...(usesLogin && { auth: authFor(new URL(url)) }),
  };
  return { ...options, target, ...(credentials && { credentials }) };
}
