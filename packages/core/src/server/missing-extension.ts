import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';

/** What a client asked for without declaring the extension that it belongs to. */
export function missingExtension(what: string, id: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.MissingClientCapability,
    `${what} belongs to the extension "${id}", which this request does not declare`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  );
}
