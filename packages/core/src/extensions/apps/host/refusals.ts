import { ErrorCode, ProtocolError, quotedBriefly } from '../../../jsonrpc/errors.ts';

const deniedCode = -32_000;

/** The host does not do this: by a rule, or because somebody said no. */
export function denied(message: string): ProtocolError {
  return new ProtocolError(deniedCode, message);
}

/** The host does not offer this at all. */
export function notOffered(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `This host does not offer ${quotedBriefly(method)}`);
}
