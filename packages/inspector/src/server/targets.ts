import { maskText } from '@ccmcp/core/audit';
import type { HttpAuth, HttpTap, Serving } from '@ccmcp/core/client';
import type { KnownTarget } from '../shared/connections.ts';

/** What a target means: how its server is reached. */
export type Target = {
  /** As it is written on a command line. */
  readonly label: string;
  /** What is started or called, without secrets. Default: the address, or the command. */
  readonly detail?: string;
} & (
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Where credentials come from that are kept for this server; `tap` sees what is asked for them. */
      readonly auth?: (tap: HttpTap) => Promise<HttpAuth | undefined>;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly framing?: 'newline' | 'content-length';
    }
  | {
      readonly kind: 'own';
      readonly server: Serving;
      /** Where others reach it over HTTP. */
      readonly address?: string;
    }
);

/** A target that can be connected to without typing it; what it means is found out when it is. */
export interface OfferedTarget {
  readonly label: string;
  readonly kind: KnownTarget['kind'];
  readonly origin: KnownTarget['origin'];
  readonly detail?: string;
  resolve(): Promise<Target>;
}

/** Why something can't be done, for the person at the page. */
export class Refusal extends Error {
  override name = 'Refusal';

  constructor(
    message: string,
    readonly advice?: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** What is started or called, without secrets. */
export function detailOf(target: Target): string {
  if (target.detail !== undefined) return target.detail;
  if (target.kind === 'url') return shownUrl(target.url);
  return target.kind === 'command' ? maskText([target.command, ...target.args].join(' ')) : 'in this process';
}

function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
