import type { HttpAuth, HttpTap } from '@ccmcp/core/client';

/** A server behind a URL. */
export interface UrlTarget {
  readonly kind: 'url';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Stored credentials of this server; `tap` observes the requests for them. */
  readonly auth?: (tap: HttpTap) => Promise<HttpAuth | undefined>;
}

/** A server to start with a command. */
export interface CommandTarget {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The complete environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly framing?: 'newline' | 'content-length';
}

/** The target of a probe. */
export type ProbeTarget = UrlTarget | CommandTarget;
