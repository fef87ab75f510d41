import type { webcrypto } from 'node:crypto';
import { invalidParams } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';

/** What a suspended call must remember until the client comes back. It travels through the client, signed. */
export interface SuspendedState {
  /** The client's answers so far, by the key of the question. */
  answers: Record<string, unknown>;
}

/** What a state is bound to: the server takes it back only from the same caller, with the same request. */
export interface StateBinding {
  method: string;
  params: Params;
  principal: string | undefined;
}

interface Envelope extends SuspendedState {
  expires: number;
  request: string;
}

const prefix = 'v1.';
const encoder = new TextEncoder();

/** Signs and checks the `requestState` of suspended calls. */
export class StateSeal {
  readonly #secret: Uint8Array;
  readonly #lifetimeMs: number;
  #key: Promise<webcrypto.CryptoKey> | undefined;

  /** `secret` must be the same on all instances that serve one client; without it one is made for this process. */
  constructor({ secret, lifetimeMs }: { secret: Uint8Array | undefined; lifetimeMs: number }) {
    this.#secret = secret ?? crypto.getRandomValues(new Uint8Array(32));
    this.#lifetimeMs = lifetimeMs;
  }

  async close(state: SuspendedState, binding: StateBinding): Promise<string> {
    const envelope: Envelope = {
      ...state,
      expires: Date.now() + this.#lifetimeMs,
      request: await digest(binding),
    };
    const body = prefix + toBase64Url(encoder.encode(JSON.stringify(envelope)));
    const mac = await crypto.subtle.sign('HMAC', await this.#hmacKey(), encoder.encode(body));
    return `${body}.${toBase64Url(new Uint8Array(mac))}`;
  }

  async open(text: unknown, binding: StateBinding): Promise<SuspendedState> {
    if (typeof text !== 'string') throw invalidParams('"requestState" must be a string');
    const dot = text.lastIndexOf('.');
    const body = text.slice(0, Math.max(dot, 0));
    const mac = fromBase64Url(text.slice(dot + 1));
    const genuine =
      body.startsWith(prefix) &&
      mac !== undefined &&
      (await crypto.subtle.verify('HMAC', await this.#hmacKey(), mac, encoder.encode(body)));
    if (!genuine) throw invalidParams('"requestState" is not one that this server gave out, or it was changed');
    const envelope = JSON.parse(Buffer.from(body.slice(prefix.length), 'base64url').toString()) as Envelope;
    if (envelope.expires < Date.now()) throw invalidParams('"requestState" has expired: start the request anew');
    if (envelope.request !== (await digest(binding))) {
      throw invalidParams('"requestState" belongs to another request');
    }
    return envelope;
  }

  #hmacKey(): Promise<webcrypto.CryptoKey> {
    this.#key ??= crypto.subtle.importKey('raw', this.#secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ]);
    return this.#key;
  }
}

async function digest({ method, params, principal }: StateBinding): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = params;
  const text = JSON.stringify([method, sorted(salient), principal ?? null]);
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))));
}

/** The value in a form that does not depend on the order in which the client sent its members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return ['object', ...keys.map((key) => [key, sorted(value[key])])];
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
