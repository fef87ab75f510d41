import { limits, logLevels } from '@ccmcp/core';
import { aboutServers } from './about-servers.ts';

/** What `ccmcp --help` prints. */
export const help = `Usage: ccmcp [SERVER…] [options]

Serves MCP (Model Context Protocol), on standard input and output unless --http is given. Several servers are joined.

Servers:
${Object.entries(aboutServers)
  .map(([name, about]) => `  ${name.padEnd(24)} ${about}`)
  .join('\n')}

Options:
  --root DIR               the folder that ccmcp's file tools work in (default: CCMCP_ROOT, else the
                           working directory, and the system's temporary folder)
  --read-only              ccmcp: offer no tool that changes files
  --hard                   ccmcp: what is deleted is gone at once, instead of to the trash in the root
  --db FILE                where notes keeps its notes (default: DATABASE_URL, else a file in your data folder)
  --shared-notes           all callers have the same notes, also where keys tell them apart
  --log-level LEVEL        the least severe log message that is written to stderr and sent to the client:
                           ${logLevels.join(', ')} (default: info; to clients of ccmcp: debug)
  --log-requests           write a line to stderr for each request: who, what, how long, with what outcome; no arguments
  --max-message BYTES      the longest message that is taken (default: ${limits.stdio.maxMessage.value})
  --rate-limit N/s         how many requests per s, min or h one caller may send, such as 100/s (default: any number)
  --audit FILE             add a line to this file for each request: who called what, and what came of it; "ccmcp audit
                           verify FILE" finds lines that were changed or removed
  --audit-key-env NAME     the environment variable with a key that seals its lines
  --audit-strict           serve nothing while that file can't be written
  --framing KIND           on stdio: auto, newline or content-length (default: auto, by the client's first bytes)
  --allow-shutdown         moonphase: offer a tool and a request that end it
  --version                print the version; also -v
  --help                   print this text; also -h. "ccmcp help COMMAND" tells more of one command

Files of notes:
  ccmcp notes export PATH  write all notes to a folder of Markdown files, or to a file that ends in .jsonl
  ccmcp notes import PATH  read them back; with --owner NAME, of or for a caller who is known by that name
  ccmcp notes recover NEW  save what can be read of a damaged SQLite file into a new one

Audit logs:
  ccmcp audit verify FILE  check a log that was written with --audit: is it as it was written?
  ccmcp audit show FILE    show its calls, those of a tool or of a caller

Servers of your own, and any others; each command has a --help of its own:
  ccmcp new NAME           make a project with a server of your own, ready to run and to test
  ccmcp serve FILE         serve the server of a file of yours; with --watch it is loaded anew when it changes
  ccmcp list TARGET        show what a server offers; a target is a server's name, a file, a URL, CLIENT:NAME for one
                           that is configured there, or -- COMMAND
  ccmcp show TARGET TOOL   show a tool whole: arguments, what comes back, an example call
  ccmcp call TARGET TOOL   call a tool
  ccmcp read TARGET URI    read a resource
  ccmcp prompt TARGET NAME get a prompt
  ccmcp complete TARGET …  complete an argument
  ccmcp skills TARGET      list the skills of a server, show or verify them
  ccmcp tasks TARGET       list your tasks at a server; show one, wait for it, answer what it asks, cancel it
  ccmcp listen TARGET      show changes as they happen
  ccmcp ping TARGET        ask whether a server is there
  ccmcp probe TARGET       find out what a server speaks, or what is wrong with it
  ccmcp inspect [TARGET…]  open the inspector, a page that shows and tries servers, in a browser
  ccmcp shell TARGET       talk to a server command by command

Logins, for servers that want tokens:
  ccmcp login URL          sign in with a browser; other commands use the login from then on
  ccmcp logout [URL]       forget a login, or all of them with --all
  ccmcp whoami [URL]       show who you are to a server, or to all that you are signed in to

Of a server that runs with --admin:
  ccmcp top URL            show how it does, live: requests, latencies, errors, sessions, memory

In your shell:
  ccmcp completion SHELL   print what completes this command in bash, zsh or fish

Into your AI client (Claude, Cursor, VS Code and others):
  ccmcp install CLIENT SERVER…    write servers into the client's configuration: ours, a file, a URL, or -- COMMAND
  ccmcp uninstall CLIENT SERVER…  take them out again
  ccmcp doctor                    try every server that is configured anywhere

Over HTTP:
  --http [[HOST:]PORT]     serve over HTTP at /mcp (default: 127.0.0.1, port 8080; moonphase: 8181)
  --api-key-env NAME       the environment variable with the key that callers must send, or several with commas
  --api-key-header NAME    the header that carries it (default: X-Api-Key; moonphase: X-Api-Token)
  --oauth ISSUER           let in who has an access token of this issuer, for this server; may be repeated
  --resource URL           with --oauth: the public address of this server, such as https://api.example.com/mcp
  --scope SCOPE            with --oauth: what each token must allow; may be repeated
  --audience NAME          with --oauth: whom tokens are for, where that is not the --resource; may be repeated
  --allow-host HOST        a host name under which the server may be reached, beside this machine's; may be repeated
  --allow-origin ORIGIN    an origin whose pages may call, beside this machine's; may be repeated.
                           Without one, no preflight is answered
  --sse                    serve the transport of 2024 too, at /sse and /messages
  --store URL              keep sessions in Redis, redis://HOST:PORT, so that several instances can serve them
                           (default: REDIS_URL, else the memory of this process)
  --public-without-auth    listen on an address that others reach without asking for a key
  --workers N              serve with so many processes, or with one for each core: auto; not for the server ccmcp
  --health                 tell probes at /healthz and /readyz whether the server is well, without a key
  --admin [HOST:]PORT      an address for operators, with /metrics for Prometheus, /healthz and /readyz (host: 127.0.0.1)
  --public-admin           let that be an address that others reach
  --inspector              a page at /inspect that shows what the server does, on this machine only

Exit codes: 0 the client went away or the server was told to stop, 1 it could not start, 2 the command line is wrong.
`;
