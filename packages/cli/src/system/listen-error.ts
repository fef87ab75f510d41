/**
 * Explains why a server can't listen, with advice; undefined for other errors. `flag` is the option of its port; `adminPort` is
 * the port of `--admin`.
 */
export function listenError(
  error: unknown,
  { flag: own = '--http', adminPort }: { flag?: '--http' | '--port'; adminPort?: number | undefined } = {},
): Error | undefined {
  const { code, syscall, address, port, hostname } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const flag = adminPort !== undefined && port === adminPort ? '--admin' : own;
  const message = describeCode(code, {
    where: `port ${port} of ${address}`,
    port,
    host: address ?? hostname ?? '',
    flag,
  });
  return message === undefined ? undefined : new Error(message, { cause: error });
}

interface ListenAddress {
  where: string;
  host: string;
  port: number | undefined;
  flag: string;
}

function describeCode(code: string | undefined, { where, host, port = 0, flag }: ListenAddress): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use: stop what listens there, or choose another with ${flag} ${port + 1}, or any free one ${flag === '--port' ? 'without --port' : `with ${flag} 0`}`;
    case 'EACCES':
      return `${where} needs privileges: choose one above 1023, such as ${flag} 8080`;
    case 'EADDRNOTAVAIL':
      return `this machine does not have the address ${host}: use 127.0.0.1, or 0.0.0.0 for all that it has`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name ${host} can't be resolved: ${flag} takes PORT, or HOST:PORT with a name or address of this machine`;
    default:
      return undefined;
  }
}
