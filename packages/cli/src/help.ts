import { limits, logLevels } from '@ccmcp/core';

/** What `ccmcp --help` prints. */
export const help = `Usage: ccmcp [SERVER…] [options]

Serves MCP (Model Context Protocol), on standard input and output unless --http is given. Several servers are joined.

Servers:
  ccmcp                    a few simple tools, files inside one folder, tools made while it runs (the default)
  moonphase                the moon's age, illumination and phase at any time
  notes                    notes that are kept, searched and shared between programs
  miniagent                English verbs in all their forms, and common ones in Spanish
  greeting                 one tool that greets: the smallest example

Options:
  --root DIR               the folder that ccmcp's file tools work in (default: CCMCP_ROOT, else the working directory)
  --db FILE                where notes keeps its notes (default: DATABASE_URL, else a file in your data folder)
  --log-level LEVEL        the least severe log message that is written to stderr and sent to the client:
                           ${logLevels.join(', ')} (default: info)
  --max-message BYTES      the longest message that is taken (default: ${limits.stdio.maxMessage.value})
  --framing KIND           on stdio: auto, newline or content-length (default: auto, by the client's first bytes)
  --allow-shutdown         moonphase: offer a tool that ends the server
  --version                print the version
  --help                   print this text

Files of notes:
  ccmcp notes export PATH  write all notes to a folder of Markdown files, or to a file that ends in .jsonl
  ccmcp notes import PATH  read them back

Servers of your own, and any others; each command has a --help of its own:
  ccmcp serve FILE         serve what a module of yours exports; with --watch it is loaded anew when it changes
  ccmcp list TARGET        show what a server offers; a target is a server's name, a file, a URL, or -- COMMAND
  ccmcp call TARGET TOOL   call a tool
  ccmcp read TARGET URI    read a resource
  ccmcp prompt TARGET NAME get a prompt
  ccmcp complete TARGET …  complete an argument
  ccmcp listen TARGET      show changes as they happen
  ccmcp ping TARGET        ask whether a server is there
  ccmcp probe TARGET       find out what a server speaks, or what is wrong with it
  ccmcp shell TARGET       talk to a server command by command

Into your AI client (Claude, Cursor, VS Code and others):
  ccmcp install CLIENT SERVER…    write the servers into the client's configuration
  ccmcp uninstall CLIENT SERVER…  take them out again
  ccmcp doctor                    try every server that is configured anywhere

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
