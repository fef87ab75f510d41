import { invalidParams } from '../jsonrpc/errors.ts';
import { exceeds } from '../jsonrpc/size.ts';
import type { ClientCapabilities } from './capabilities.ts';
import type { Meta } from './meta.ts';

/** An icon that a host may show for a server, tool, resource or prompt. `src` is an `https:` or `data:` URL. */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** What a host shows to people, and metadata: the optional members of all kinds of list entries. */
export interface Described {
  /** Shown instead of the name. */
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/** The name and version of a server or client. For display and logs, never for decisions. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** The default client info. The version is that of this package. */
export const ownIdentity: Implementation = { name: 'ccmcp', version: '0.1.0' };

/** The maximum length of client capabilities as JSON, in characters. */
const maxCapabilities = 8192;

/** The maximum length of client info as JSON, in characters; icons are dropped first. */
const maxClientInfo = 4096;

/** The maximum nesting depth of both. */
const depth = 16;
const infoBounds = { length: maxClientInfo, depth };
const capabilityBounds = { length: maxCapabilities, depth };

/** Throws if capabilities are too large to store. `name` is their member name in the request. */
export function checkCapabilities(capabilities: ClientCapabilities, name: string): void {
  if (exceeds(capabilities, capabilityBounds)) throw tooLargeError(name, capabilityBounds.length);
}

/** The error for client info that is no object, or whose name or version is no text: logs and tables show both. */
export function infoError(name: string): Error {
  return invalidParams(`Malformed ${name}: "name" and "version" must be strings`);
}

/** Returns the client info to store: without icons if those make it too long. */
export function boundedInfo(info: Implementation | undefined, name: string): Implementation | undefined {
  if (info === undefined || !exceeds(info, infoBounds)) return info;
  const { icons: _, ...rest } = info;
  if (exceeds(rest, infoBounds)) throw tooLargeError(name, infoBounds.length);
  return rest;
}

function tooLargeError(name: string, length: number): Error {
  return invalidParams(`${name} is too large: at most ${length} characters of JSON, nested at most ${depth} deep`);
}
