import { clients } from './clients.ts';

const titles = Object.entries(clients).map(([name, { title }]) => `  ${name.padEnd(16)} ${title}`);

const common = `  --scope SCOPE            user (for all that you do) or project (for the working directory only), where the
                           client knows both (default: user)
  --file FILE              the file to edit, instead of the client's own
  --dry-run                show what would change, and change nothing
  --json                   print the outcome as one line of JSON, or why there is none on stderr`;

/** What `ccmcp install --help` prints. */
export const installHelp = `Usage: ccmcp install CLIENT SERVER... [options] [-- SERVER-OPTIONS]
       ccmcp install CLIENT [options] -- COMMAND

A server is the name of a ready-made one, a file of your own such as ./server.js, or a URL. COMMAND is whatever starts
any other server, such as "npx some-server".

Puts servers into a client's configuration. Everything else in the file stays as it is, and a copy of the file is kept
beside it. Paths are written in full, since clients have neither your PATH nor your working directory.

Clients:
${titles.join('\n')}

Options:
  --name NAME              what the client is to call the server (default: after its name, file, package or host)
  --url URL                the same as a URL for SERVER
  --header 'NAME: VALUE'   a header to send to a URL; may be repeated. Values are never printed
  --env NAME=VALUE         a variable for the server's environment; may be repeated. In values, as in headers,
                           \${env:NAME} stands for what the client has in its own, written in its way
${common}
  --print                  print the entry, and look at no file
  --force                  replace an entry of the same name that says something else
  --help                   print this text

Examples:
  ccmcp install cursor ccmcp -- --root ~/notes
  ccmcp install claude-code ./server.js
  ccmcp install vscode https://example.com/mcp --header 'Authorization: Bearer \${env:TOKEN}'
  ccmcp install zed -- npx -y some-server --its-option

Exit codes: 0 done, or nothing to do; 1 not done; 2 the command line is wrong.
`;

/** What `ccmcp uninstall --help` prints. */
export const uninstallHelp = `Usage: ccmcp uninstall CLIENT SERVER... [options]

A server is the name that it has there, or the file or URL that it was installed from.

Takes servers out of a client's configuration. If nothing else has changed since they were put in, the file is again
what it was, to the byte; otherwise only their entries go.

Clients:
${titles.join('\n')}

Options:
${common}
  --help                   print this text

Exit codes: 0 done; 1 not done, or no such server; 2 the command line is wrong.
`;

/** What `ccmcp doctor --help` prints. */
export const doctorHelp = `Usage: ccmcp doctor [CLIENT...] [options]

Looks at the servers that are configured in your clients, ours and others: whether each file can be read, each command
exists, starts and answers, how long that takes and what it offers. Servers are started for that, a few at a time, as
their client would, but outside the working directory. The files of that folder may be a stranger's: they are looked at, but what they name
is neither started nor called unless you ask for it.

Clients (default: all of them):
${titles.join('\n')}

Options:
  --timeout SECONDS        how long to wait for each server (default: 10, and 60 where npx, uvx, docker and the like may
                           have to download it first)
  --project                also start and call what the files of the working directory name
  --file FILE              the file to look at, instead of the client's own; needs one CLIENT
  --json                   print the findings as JSON
  --help                   print this text

Exit codes: 0 all is well; 1 something is not; 2 the command line is wrong.
`;
