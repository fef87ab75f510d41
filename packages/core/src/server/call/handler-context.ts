import { type ClientCapabilities, declares, isInEra } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { isAtLeast } from '../../protocol/logging.ts';
import type { Meta } from '../../protocol/meta.ts';
import { limits } from '../../limits.ts';
import { InactiveFeatures } from '../define/feature-options.ts';
import { isEnabled } from '../log/log.ts';
import type { Auth } from '../peer.ts';
import type { Call } from './call.ts';
import { hasAbility } from './client-abilities.ts';
import type { Context } from './context.ts';
import { elicit, roots, sample } from './questions.ts';
import { boundedData, boundedText } from './result-size.ts';

/** The context that handlers get. Its methods are getters, so that they can be destructured. */
export class HandlerContext extends InactiveFeatures implements Context {
  // `declare`, so that unset members take no memory: thousands of calls may wait.
  declare protected lastProgress?: number;

  constructor(protected readonly call: Call) {
    super();
  }

  get method(): string {
    return this.call.method;
  }

  get requestId(): RequestId | undefined {
    return this.call.requestId;
  }

  get meta(): Meta {
    return (this.call.params._meta as Meta | undefined) ?? {};
  }

  get clientInfo(): Implementation | undefined {
    return this.call.caller.clientInfo;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.call.caller.capabilities;
  }

  get auth(): Auth | undefined {
    return this.call.peer.auth;
  }

  get signal(): AbortSignal {
    return this.call.execution.signal;
  }

  get progress(): Context['progress'] {
    return (progress, total, message) => {
      const { job, isOver, peer } = this.call;
      if (job !== undefined) {
        if (!isOver && this.#advances(progress)) job.progress?.(progress, total, message);
        return;
      }
      const { progressToken } = this.meta;
      if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
      if (isOver || peer.backpressured || !this.#advances(progress)) return;
      this.send('notifications/progress', {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: boundedText(message) }),
      });
    };
  }

  /** True if the progress is more than the last that was reported. */
  #advances(progress: number): boolean {
    const advances = progress > (this.lastProgress ?? Number.NEGATIVE_INFINITY);
    if (advances) this.lastProgress = progress;
    return advances;
  }

  get log(): Context['log'] {
    return (level, given, logger = this.call.server.info.name) => {
      const { server, host, caller, job, isOver, peer, method } = this.call;
      const data = boundedData(given);
      if (isEnabled(server.logger, level)) server.logger.write({ level, logger, data });
      const { logLevel } = caller;
      if (logLevel === undefined || !host.capabilities.offers('logging') || !isAtLeast(level, logLevel)) return;
      if (job !== undefined || isOver || peer.backpressured) return;
      const params = { level, logger, data };
      // Before its response to `initialize`, a client does not know that there are log messages.
      if (method !== 'initialize') {
        this.send('notifications/message', params);
      } else if (peer.session !== undefined) {
        peer.session.early ??= [];
        peer.session.early.push({ jsonrpc: '2.0', method: 'notifications/message', params });
      }
    };
  }

  get disconnect(): Context['disconnect'] {
    return async (retryMs = limits.http.retryMs.value) => this.call.peer.disconnect?.(retryMs);
  }

  get can(): Context['can'] {
    return (ability) => hasAbility(this.call, ability);
  }

  get supports(): Context['supports'] {
    return (id) => {
      const { server, revision, caller } = this.call;
      const extension = server.extensions.all.find((one) => one.id === id);
      if (extension === undefined || !isInEra(extension, revision.era)) return false;
      if (!declares(caller.capabilities, id)) return false;
      return extension.accepts?.(caller.capabilities.extensions?.[id] as object) ?? true;
    };
  }

  get elicit(): Context['elicit'] {
    return (question) => elicit(this.call, question);
  }

  get sample(): Context['sample'] {
    return (question) => sample(this.call, question);
  }

  get roots(): Context['roots'] {
    return (question) => roots(this.call, question);
  }

  protected send(method: string, params: Params): void {
    const { peer, requestId } = this.call;
    peer.send({ jsonrpc: '2.0', method, params }, requestId);
  }
}
