import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';

/** The error for something that belongs to an extension which the request does not declare. */
export function missingExtension(what: string, id: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.MissingClientCapability,
    `${what} belongs to the extension "${id}", which this request does not declare`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  );
}
