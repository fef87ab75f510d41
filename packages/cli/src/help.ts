import { logLevels } from '@ccmcp/core';

/** What `ccmcp --help` prints. */
export const help = `Usage: ccmcp [SERVER] [options]

Serves MCP (Model Context Protocol), on standard input and output unless --http is given.

Servers:
  ccmcp                    a few simple tools, files inside one folder, tools made while it runs (the default)
  moonphase                the moon's age, illumination and phase at any time

Options:
  --root DIR               the folder that ccmcp's file tools work in (default: CCMCP_ROOT, else the working directory)
  --log-level LEVEL        the least severe log message that is written to stderr and sent to the client:
                           ${logLevels.join(', ')} (default: info)
  --max-message BYTES      the longest message that is taken (default: 1048576)
  --framing KIND           on stdio: auto, newline or content-length (default: auto, by the client's first bytes)
  --allow-shutdown         moonphase: offer a tool that ends the server
  --version                print the version
  --help                   print this text

Over HTTP:
  --http [[HOST:]PORT]     serve over HTTP at /mcp (default: 127.0.0.1, port 8080; moonphase: 8181)
  --api-key-env NAME       the environment variable with the key that callers must send, or several with commas
  --api-key-header NAME    the header that carries it (default: X-Api-Key; moonphase: X-Api-Token)
  --allow-host HOST        a host name under which the server may be reached, beside this machine's; may be repeated
  --allow-origin ORIGIN    an origin whose pages may call, beside this machine's; may be repeated
  --sse                    serve the transport of 2024 too, at /sse and /messages
  --public-without-auth    listen on an address that others reach without asking for a key

Exit codes: 0 the client went away or the server was told to stop, 1 it could not start, 2 the command line is wrong.
`;
