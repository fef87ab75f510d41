import { candidates, type Candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { type HelpSection, helpRow } from '../command/help-text.ts';
import { serverNames } from '../servers/servers.ts';
import { processEnvironment } from '../system/environment.ts';

const fileOptions = {
  scope: {
    value: 'SCOPE',
    about:
      'user (for all folders) or project (for the working directory only), if the\nclient has both (default: user)',
  },
  file: { value: 'FILE', about: "the file to edit, instead of the client's own", completes: 'files' },
  'dry-run': { about: 'show what would change, and change nothing' },
  json: { about: 'print the outcome as one line of JSON; a failure on stderr' },
} as const;

const install = defineCommand({
  name: 'install',
  usage: 'CLIENT SERVER …',
  helpUsage: [
    'CLIENT SERVER... [options] [-- SERVER-OPTIONS]',
    'CLIENT gateway FILE [options]',
    'CLIENT [options] -- COMMAND',
  ],
  briefUsage: 'CLIENT SERVER…',
  summary: "add servers to the client's configuration: ready-made ones, a file, a URL, or -- COMMAND",
  aliases: {
    add: 'install CLIENT SERVER',
    config: 'install CLIENT SERVER',
    configure: 'install CLIENT SERVER',
  },
  description: `
A server is the name of a ready-made one, a file of your own such as ./server.js, or a URL. COMMAND is whatever starts
any other server, such as "npx some-server". "gateway FILE" is a gateway over the servers of a file.

Writes servers into a client's configuration. Everything else in the file stays as it is, and a copy of the file is kept
beside it. Paths are written in full, since clients have neither your PATH nor your working directory.`,
  moreHelp: async () => ({ sections: [await clientSection('Clients')] }),
  options: {
    name: {
      value: 'NAME',
      about: 'the name of the entry (default: by server, file, package or host)',
    },
    url: { value: 'URL', about: 'the same as a URL for SERVER' },
    header: {
      value: "'NAME: VALUE'",
      about: 'a header to send to a URL; may be repeated. Values are never printed',
      multiple: true,
    },
    env: {
      value: 'NAME=VALUE',
      about:
        "a variable for the server's environment; may be repeated. In values, as in headers,\n${env:NAME} refers to a variable of the client, in the syntax of the client",
      multiple: true,
    },
    ...fileOptions,
    print: { about: 'print the entry, without reading a file' },
    force: { about: 'replace a different entry of the same name' },
  },
  examples: [
    'ccmcp install cursor ccmcp -- --root ~/notes',
    'ccmcp install claude-code ./server.js',
    "ccmcp install vscode https://example.com/mcp --header 'Authorization: Bearer ${env:TOKEN}'",
    'ccmcp install zed -- npx -y some-server --its-option',
  ],
  keepsRest: true,
  exitCodes: '0 done, or nothing to do; 1 not done; 2 the command line is wrong.',
  complete: completeInstall,
  run: async (parsed, { environment = processEnvironment() }) =>
    (await import('./install.ts')).install(parsed, environment),
});

const uninstall = defineCommand({
  name: 'uninstall',
  usage: 'CLIENT SERVER …',
  helpUsage: ['CLIENT SERVER... [options]'],
  briefUsage: 'CLIENT SERVER…',
  summary: "remove servers from the client's configuration",
  aliases: { remove: 'uninstall CLIENT SERVER', rm: 'uninstall CLIENT SERVER' },
  description: `
A server is the name that it has there, or the file or URL that it was installed from.

Removes servers from a client's configuration. If nothing else has changed since they were installed, the file is
restored byte for byte; otherwise only their entries are removed.`,
  moreHelp: async () => ({ sections: [await clientSection('Clients')] }),
  options: fileOptions,
  keepsRest: true,
  exitCodes: '0 done; 1 not done, or no such server; 2 the command line is wrong.',
  complete: completeInstall,
  run: async (parsed, { environment = processEnvironment() }) =>
    (await import('./uninstall.ts')).uninstall(parsed, environment),
});

const doctor = defineCommand({
  name: 'doctor',
  usage: '',
  helpUsage: ['[CLIENT...] [options]'],
  summary: 'check every server that is configured in a client',
  aliases: { status: 'doctor' },
  description: `
Checks the servers that are configured in your clients, ours and others: whether each file can be read, each command
exists, starts and answers, how long that takes and what it offers. Servers are started for that, a few at a time, as
their client would, but outside the working directory. Files of the working directory may be untrusted: they are read,
but their servers are not started or called without --project.`,
  moreHelp: async () => ({ sections: [await clientSection('Clients (default: all of them)')] }),
  options: {
    timeout: {
      value: 'SECONDS',
      about:
        'how long to wait for each server (default: 10, and 60 where npx, uvx, docker and the like may\nhave to download it first)',
    },
    project: { about: 'also check servers in files of the working directory' },
    file: {
      value: 'FILE',
      about: "the file to read, instead of the client's own; needs one CLIENT",
      completes: 'files',
    },
    json: { about: 'print the findings as JSON' },
  },
  keepsRest: true,
  exitCodes: '0 all servers work; 1 a server failed, or a file could not be read; 2 the command line is wrong.',
  complete: async () => candidates(await clientNames()),
  run: async (parsed, { environment = processEnvironment() }) =>
    (await import('./doctor.ts')).doctor(parsed, environment),
});

/** `install`, `uninstall` and `doctor`. */
export const installCommands: readonly Command[] = [install, uninstall, doctor];

async function completeInstall(words: readonly string[]): Promise<Candidates> {
  return words.length < 2 ? candidates(await clientNames()) : candidates(serverNames, 'files');
}

async function clientNames(): Promise<string[]> {
  return Object.keys((await import('../config/clients.ts')).clients);
}

async function clientSection(title: string): Promise<HelpSection> {
  const { clients } = await import('../config/clients.ts');
  return { title, rows: Object.entries(clients).map(([name, client]) => helpRow(name, client.title, 16)) };
}
