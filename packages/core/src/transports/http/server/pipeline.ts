import type { PublicDocument } from '../../../auth/server/authenticator.ts';
import type { Serve } from './bindings/binding.ts';
import { HttpContext } from './endpoint/context.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { HealthPaths } from './endpoint/health.ts';
import { authenticate } from './steps/authenticate.ts';
import { awaitReady } from './steps/await-ready.ts';
import { dispatch } from './steps/dispatch.ts';
import { serveDocuments } from './steps/documents.ts';
import { answerPreflights, type Guard, guard } from './steps/guard.ts';
import { answerHealthChecks } from './steps/health.ts';
import { identify } from './steps/identify.ts';
import { negotiate } from './steps/negotiate.ts';
import { type HttpPage, servePages } from './steps/pages.ts';
import { parse } from './steps/parse.ts';
import { read } from './steps/read.ts';
import { checkPath, type NotFoundOptions, route, type Routes } from './steps/route.ts';
import { schedule } from './steps/schedule.ts';
import { shedLoad } from './steps/shed-load.ts';
import { compose, type Handler, type Step } from './steps/step.ts';
import { track } from './steps/track.ts';

/** The parts of a pipeline that depend on the options of an endpoint. */
export interface PipelineOptions {
  guard: Guard;
  /** True if pages of other origins may call: only then browsers send preflights. */
  hasPreflights: boolean;
  /** Public documents of the authenticator. */
  documents: readonly PublicDocument[];
  /** Pages for browsers. */
  pages: readonly HttpPage[];
  /** Undefined: no health checks. */
  health: HealthPaths | undefined;
  routes: Routes;
  notFound: NotFoundOptions;
}

/** The steps of every HTTP request, in order. A feature that is not used adds none. */
export function createPipeline(endpoint: Endpoint, options: PipelineOptions): Serve {
  const { auth, scheduler } = endpoint;
  const { documents, pages, health, routes } = options;
  const steps: (Step | undefined)[] = [
    documents.length > 0 ? serveDocuments(documents) : undefined,
    health && answerHealthChecks(health, routes),
    guard(options.guard),
    pages.length > 0 ? servePages(pages) : undefined,
    checkPath(routes, options.notFound),
    options.hasPreflights ? answerPreflights(options.guard) : undefined,
    track,
    auth && authenticate(auth),
    awaitReady,
    identify,
    scheduler && schedule(scheduler),
  ];
  const serve = compose(
    steps.filter((step) => step !== undefined),
    route(routes),
  );
  return (http, responder) => serve(new HttpContext(endpoint, http, responder));
}

/** The further steps of a POST, which brings a message: `steps/respond.ts` answers it. */
export const post: Handler = compose([read, parse, shedLoad, negotiate], dispatch);
