import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@ccmcp/core';
import { quirksOf } from '@ccmcp/core/client-quirks';
import { protocolVersions, tokenEstimate } from '@ccmcp/core/client';
import manifest from '../../package.json' with { type: 'json' };
import type { Hello } from '../shared/events.ts';
import type { PageSettingsStore } from '../shared/page-settings.ts';
import { Calls } from './connections/calls.ts';
import { Connections } from './connections/connections.ts';
import { currentCall } from './connections/message-tracker.ts';
import { maskLabel, subjectOf } from '@ccmcp/core/recording';
import { Questions } from './connections/questions.ts';
import type { InspectorContext } from './context.ts';
import { Doctor } from './doctor.ts';
import { DataFolder } from './files/data-folder.ts';
import { Recorder } from './files/recorder.ts';
import { SavedRequests } from './files/saved-requests.ts';
import { PageFiles } from './http/page-files.ts';
import { sendFailure } from './http/respond.ts';
import { Routes } from './http/routes.ts';
import { ViewSandboxes } from './http/view-sandboxes.ts';
import { EventLog, IdGenerator, now, roundMs } from './log/event-log.ts';
import { PageSettingsCache } from './page-settings.ts';
import { Models } from './model/models.ts';
import type { ModelOptions } from './model/settings.ts';
import { SignIns } from './sign-in/sign-ins.ts';
import { TargetResolver } from './target-resolver.ts';
import type { OfferedTarget, Target } from './targets.ts';

/** Options of an inspector. */
export interface InspectorOptions {
  /** Folder of saved requests and recordings. Default: the working directory. */
  folder?: string;
  /** Known targets. Those of origin `given` are connected immediately. */
  targets?: readonly OfferedTarget[];
  /** Resolves a typed target. Default: URLs only. */
  resolveTarget?: (typed: string) => Promise<Target>;
  /** Called with a typed target on connect, to offer it with origin `last` next time. Default: not stored. */
  remember?: (typed: string) => void;
  /** Stores the settings of the page. Default: the browser does, per origin. */
  pageSettings?: PageSettingsStore;
  /** A model that may answer questions of servers on request. Default: none; the page can set one up. */
  model?: ModelOptions;
  /** Token of the page. Default: a new one. */
  token?: string;
  /** True if it is mounted in the server that it shows. */
  mounted?: boolean;
  /** A server of this process whose requests are timed. */
  watched?: Server;
}

/** The server side of an inspector. */
export interface Inspector {
  /** Token of the page: part of the URL fragment, `#token=…`. */
  readonly token: string;
  /** Serves a request whose path starts with `base`, such as `/inspect/`, for local clients with the token. */
  handle(request: IncomingMessage, response: ServerResponse, base?: string): void;
  /** Closes all connections and event streams. */
  close(): Promise<void>;
}

/** Creates an inspector, which connects the given targets. */
export function inspector(options: InspectorOptions = {}): Inspector {
  const { folder = process.cwd(), targets = [], token = createToken(), mounted = false } = options;
  const context = createContext(targets, folder, options);
  const { log, connections, version } = context;
  const hello = (): Hello => ({
    run: log.run,
    first: log.first,
    last: log.last,
    version,
    folder,
    revisions: protocolVersions,
    tokenEstimate,
    mounted,
    ...(context.pageSettings !== undefined && { pageSettings: context.pageSettings.now }),
    now: now(),
  });
  const sandboxes = new ViewSandboxes();
  const page = new PageFiles();
  const routes = new Routes({ parts: context, page, sandboxes, token, hello });
  const unwatch = options.watched && observeSpans(options.watched, log);
  void context.collection.load();
  void connectGiven(context, targets);
  page.preload();
  return {
    token,
    handle(request, response, base = '/') {
      const address = `http://inspector${request.url ?? '/'}`;
      if (!URL.canParse(address)) return sendFailure(response, 400, 'This is no address');
      const { pathname, searchParams } = new URL(address);
      // Relative URLs in the page need the trailing slash.
      if (`${pathname}/` === base) return void response.writeHead(308, { Location: base }).end();
      if (!pathname.startsWith(base)) return sendFailure(response, 404, `The inspector is at ${base}`);
      void routes.serve(request, response, pathname.slice(base.length), searchParams);
    },
    async close() {
      unwatch?.();
      routes.close();
      context.doctor.close();
      context.models.close();
      context.signIns.close();
      context.recorder.close();
      await Promise.all([sandboxes.close(), connections.close()]);
    },
  };
}

function createContext(
  targets: readonly OfferedTarget[],
  folder: string,
  { resolveTarget, remember, model, pageSettings }: InspectorOptions,
): InspectorContext {
  const log = new EventLog();
  const ids = new IdGenerator();
  const calls = new Calls(log, ids);
  const questions = new Questions(log, ids);
  const signIns = new SignIns(log, ids);
  const { version } = manifest;
  const own = new DataFolder(folder);
  const destinations = new TargetResolver(log, targets, { resolve: resolveTarget, remember });
  const connections = new Connections({ log, ids, calls, questions, signIns, version });
  return {
    log,
    ids,
    calls,
    questions,
    models: new Models({ log, ids, questions }, model),
    signIns,
    version,
    destinations,
    connections,
    doctor: new Doctor(log, ids),
    collection: new SavedRequests(log, own),
    recorder: new Recorder(log, { folder: own, version, entries: connections.findEntries }),
    pageSettings: pageSettings && new PageSettingsCache(pageSettings),
  };
}

/** Connects the given targets. */
async function connectGiven({ connections, log }: InspectorContext, targets: readonly OfferedTarget[]): Promise<void> {
  for (const [at, { origin, label, resolve }] of targets.entries()) {
    if (origin !== 'given' && origin !== 'mounted') continue;
    try {
      void connections.add(await resolve(), {}, `t${at + 1}`).open();
    } catch (error) {
      log.add('warning', { message: `${maskLabel(label)}: ${(error as Error).message}` });
    }
  }
}

/** Creates a random token. */
function createToken(): string {
  return randomBytes(24).toString('hex');
}

/** What a client calls itself, and its known quirks. */
function describeClient(clientInfo: { readonly name: string; readonly version: string }): Record<string, string> {
  const quirks = quirksOf(clientInfo).map(({ id }) => id);
  const client = `${clientInfo.name} ${clientInfo.version}`.slice(0, 200);
  return { client, ...(quirks.length > 0 && { quirks: quirks.join(', ') }) };
}

/** Logs the duration of every request inside an in-process server. Returns a function that stops it. */
function observeSpans(server: Server, log: EventLog): () => void {
  return server.observe({
    begin: ({ method, params, origin }) => {
      const start = now();
      const call = currentCall.getStore();
      const { subject } = subjectOf(params);
      const name = subject === undefined ? method : `${method} ${subject}`;
      return {
        end: ({ outcome, durationMs, revision, clientInfo }) => {
          log.add('span', {
            ...(call !== undefined && { call }),
            name,
            start,
            ms: roundMs(durationMs),
            outcome,
            details: {
              ...(origin?.transport !== undefined && { transport: origin.transport }),
              ...(revision !== undefined && { revision }),
              ...(clientInfo !== undefined && describeClient(clientInfo)),
            },
          });
        },
      };
    },
  });
}
