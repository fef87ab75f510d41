import { invalidParams } from '../jsonrpc/errors.ts';
import { exceeds } from '../jsonrpc/size.ts';
import { limits } from '../limits.ts';
import type { ClientCapabilities } from './capabilities.ts';
import type { Implementation } from './identity.ts';

const depth = limits.server.clientDepth.value;
const infoBounds = { length: limits.server.clientInfo.value, depth };
const capabilityBounds = { length: limits.server.clientCapabilities.value, depth };

/** Throws if capabilities are too large to store. `name` is their member name in the request. */
export function checkCapabilities(capabilities: ClientCapabilities, name: string): void {
  if (exceeds(capabilities, capabilityBounds)) throw tooLargeError(name, capabilityBounds.length);
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
