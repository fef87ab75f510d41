import type { Result } from '@ccmcp/core';
import { isObject } from '../is-object.ts';

/** Options for the shown URIs of an upstream. */
export interface UriOptions {
  /**
   * The prefix of resource URIs, such as `files+`, so that `memo://one` becomes `files+memo://one`. Without it, URIs of
   * views and skills contain the upstream's name, if names have a prefix. Default: none.
   */
  uriPrefix?: string;
}

/** Schemes with a meaning for clients: the scheme is kept, and the upstream's name follows it. */
const keptSchemes = ['ui://', 'skill://'];

type Row = Readonly<Record<string, unknown>>;

/** Maps upstream URIs to URIs of the gateway. Each depends only on the upstream's own options. */
export class Uris {
  readonly #prefix: string;
  /** The segment after a kept scheme. */
  readonly #segment: string;
  /** True if every URI is unchanged. */
  readonly #isPlain: boolean;

  constructor(upstream: string, { prefix, uriPrefix = '' }: UriOptions & { prefix?: string }) {
    this.#prefix = uriPrefix;
    this.#segment = prefix === '' && uriPrefix === '' ? '' : `${encodeURIComponent(upstream)}/`;
    this.#isPlain = this.#segment === '';
  }

  /** The public form of a URI or URI template. */
  toPublic(uri: string): string {
    const scheme = keptSchemes.find((each) => uri.startsWith(each));
    return scheme === undefined ? this.#prefix + uri : scheme + this.#segment + uri.slice(scheme.length);
  }

  /** The upstream form of a URI. */
  toUpstream(uri: string): string {
    const scheme = keptSchemes.find((each) => uri.startsWith(each));
    const prefix = scheme === undefined ? this.#prefix : scheme + this.#segment;
    if (!uri.startsWith(prefix)) return uri;
    return (scheme ?? '') + uri.slice(prefix.length);
  }

  /** True for a URI with the prefix of this upstream, or its name after a kept scheme. */
  isMarked(uri: string): boolean {
    return this.toUpstream(uri) !== uri;
  }

  /** False for a URI that only another upstream can have. */
  isOwn(uri: string): boolean {
    return this.toPublic(this.toUpstream(uri)) === uri;
  }

  /** A result with public URIs of its resources and links. */
  toPublicResult(result: Result): Result {
    if (this.#isPlain) return result;
    const { contents, content, messages } = result;
    return {
      ...result,
      ...(Array.isArray(contents) && { contents: contents.map((each) => this.#withUri(each)) }),
      ...(Array.isArray(content) && { content: content.map((each) => this.#toPublicBlock(each)) }),
      ...(Array.isArray(messages) && { messages: messages.map((each) => this.#toPublicMessage(each)) }),
    };
  }

  /** The data of an error with its public URI. */
  toPublicData(data: unknown): unknown {
    return this.#isPlain ? data : this.#withUri(data);
  }

  /** `_meta` of a tool with the public URI of its view. */
  toPublicMeta(meta: unknown): Row | undefined {
    if (!isObject(meta)) return undefined;
    const { ui, [formerViewKey]: former } = meta;
    return {
      ...meta,
      ...(isObject(ui) &&
        typeof ui.resourceUri === 'string' && { ui: { ...ui, resourceUri: this.toPublic(ui.resourceUri) } }),
      ...(typeof former === 'string' && { [formerViewKey]: this.toPublic(former) }),
    };
  }

  #toPublicMessage(message: unknown): unknown {
    return isObject(message) ? { ...message, content: this.#toPublicBlock(message.content) } : message;
  }

  #toPublicBlock(block: unknown): unknown {
    if (!isObject(block)) return block;
    if (block.type === 'resource_link') return this.#withUri(block);
    return block.type === 'resource' ? { ...block, resource: this.#withUri(block.resource) } : block;
  }

  #withUri(value: unknown): unknown {
    return isObject(value) && typeof value.uri === 'string' ? { ...value, uri: this.toPublic(value.uri) } : value;
  }
}

/** The `_meta` key of a tool's view in earlier versions of the extension. */
const formerViewKey = 'ui/resourceUri';
