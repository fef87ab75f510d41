import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@ccmcp/core';
import { protocolVersions, tokenEstimate } from '@ccmcp/core/client';
import manifest from '../../package.json' with { type: 'json' };
import type { Hello } from '../shared/events.ts';
import type { KeptLook } from '../shared/look.ts';
import { Calls } from './connections/calls.ts';
import { Connections } from './connections/connections.ts';
import { Questions } from './connections/questions.ts';
import { Destinations } from './target-resolver.ts';
import { Doctor } from './doctor.ts';
import { SavedRequests } from './files/saved-requests.ts';
import { OwnFolder } from './files/data-folder.ts';
import { Recorder } from './files/recorder.ts';
import { PageFiles } from './http/page-files.ts';
import { sendFailure } from './http/respond.ts';
import { Routes } from './http/routes.ts';
import { ViewSandboxes } from './http/view-sandboxes.ts';
import { Ids } from './id-generator.ts';
import { EventLog, now } from './log/event-log.ts';
import { CurrentLook } from './look.ts';
import { maskLabel } from './secrets.ts';
import { Models } from './model/models.ts';
import type { ModelOptions } from './model/settings.ts';
import type { InspectorParts } from './context.ts';
import { SignIns } from './sign-in/sign-ins.ts';
import { watchSpans } from './spans.ts';
import type { OfferedTarget, Target } from './targets.ts';

/** How an inspector is made. */
export interface InspectorOptions {
  /** The folder below which collections and recordings are kept. Default: the working directory. */
  folder?: string;
  /** What can be connected to without typing it. Those that were `given` are connected to at once. */
  targets?: readonly OfferedTarget[];
  /** Finds out what a person means who types a target. Default: addresses only. */
  resolveTarget?: (typed: string) => Promise<Target>;
  /** Told what a person typed and connects to, for targets of the origin `last` of a later inspector. Default: it is forgotten. */
  remember?: (typed: string) => void;
  /** Keeps how the page looks. Default: the browser does, for the address of this inspector. */
  look?: KeptLook;
  /** A model that answers what servers ask, when the person at the page wants it. Default: none; one can be set up there. */
  model?: ModelOptions;
  /** What the page must know to be served. Default: a new one. */
  token?: string;
  /** True where it is mounted in the server that it shows. */
  mounted?: boolean;
  /** A server of this process: how long its requests take is told too. */
  watched?: Server;
}

/** The server side of an inspector. */
export interface Inspector {
  /** What the page must know: it stands in the fragment of the address that is opened, `#token=…`. */
  readonly token: string;
  /** Serves a request whose path begins with `base`, such as `/inspect/`, to whoever is on this machine and has the token. */
  handle(request: IncomingMessage, response: ServerResponse, base?: string): void;
  /** Ends all connections, and the streams of pages. */
  close(): Promise<void>;
}

/** Makes an inspector, which connects to what is given and waits for a page. */
export function inspector(options: InspectorOptions = {}): Inspector {
  const { folder = process.cwd(), targets = [], token = newToken(), mounted = false } = options;
  const parts = makeParts(targets, folder, options);
  const { log, connections, version } = parts;
  const hello = (): Hello => ({
    run: log.run,
    first: log.first,
    last: log.last,
    version,
    folder,
    revisions: protocolVersions,
    tokenEstimate,
    mounted,
    ...(parts.look !== undefined && { look: parts.look.now }),
    now: now(),
  });
  const sandboxes = new ViewSandboxes();
  const page = new PageFiles();
  const routes = new Routes({ parts, page, sandboxes, token, hello });
  const unwatch = options.watched && watchSpans(options.watched, log);
  void parts.collection.load();
  void connectGiven(parts, targets);
  page.warmUp();
  return {
    token,
    handle(request, response, base = '/') {
      const address = `http://inspector${request.url ?? '/'}`;
      if (!URL.canParse(address)) return sendFailure(response, 400, 'This is no address');
      const { pathname, searchParams } = new URL(address);
      // Relative addresses in the page need the slash.
      if (`${pathname}/` === base) return void response.writeHead(308, { Location: base }).end();
      if (!pathname.startsWith(base)) return sendFailure(response, 404, `The inspector is at ${base}`);
      void routes.serve(request, response, pathname.slice(base.length), searchParams);
    },
    async close() {
      unwatch?.();
      routes.close();
      parts.doctor.close();
      parts.models.close();
      parts.signIns.close();
      parts.recorder.close();
      await Promise.all([sandboxes.close(), connections.close()]);
    },
  };
}

function makeParts(
  targets: readonly OfferedTarget[],
  folder: string,
  { resolveTarget, remember, model, look }: InspectorOptions,
): InspectorParts {
  const log = new EventLog();
  const ids = new Ids();
  const calls = new Calls(log, ids);
  const questions = new Questions(log, ids);
  const signIns = new SignIns(log, ids);
  const { version } = manifest;
  const own = new OwnFolder(folder);
  const destinations = new Destinations(log, targets, { resolve: resolveTarget, remember });
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
    recorder: new Recorder(log, { folder: own, version, entries: connections.listed }),
    look: look && new CurrentLook(look),
  };
}

/** Whoever starts an inspector with targets wants to see them. */
async function connectGiven({ connections, log }: InspectorParts, targets: readonly OfferedTarget[]): Promise<void> {
  for (const [at, { origin, label, resolve }] of targets.entries()) {
    if (origin !== 'given' && origin !== 'mounted') continue;
    try {
      void connections.add(await resolve(), {}, `t${at + 1}`).open();
    } catch (error) {
      log.add('warning', { says: `${maskLabel(label)}: ${(error as Error).message}` });
    }
  }
}

/** A token that nobody guesses. */
function newToken(): string {
  return randomBytes(24).toString('hex');
}
