const serving =
  "import { serveStdio } from '@ccmcp/core/stdio' and write serveStdio(server); " +
  "over HTTP it is serveHttp(server, { port: 3000 }) of '@ccmcp/core/http'";

/** What servers of other libraries have as methods, and what is written here instead. */
const remedies: Readonly<Record<string, string>> = {
  ...named(['tool', 'addTool', 'registerTool'], 'server.tools.add(tool("…", { input: … }, (args, context) => …))'),
  ...named(
    ['resource', 'addResource', 'registerResource'],
    'server.resources.add(resource("…", { name: "…" }, (uri, context) => …))',
  ),
  ...named(
    ['addResourceTemplate', 'registerResourceTemplate'],
    'server.templates.add(template("…", { name: "…" }, (variables, context) => …))',
  ),
  ...named(
    ['prompt', 'addPrompt', 'registerPrompt'],
    'server.prompts.add(prompt("…", { arguments: { … } }, (args, context) => …))',
  ),
  ...named(['setRequestHandler', 'setNotificationHandler'], 'server.use((operation, next) => …)'),
  ...named(['connect', 'start', 'listen', 'run'], serving),
};

function named(names: readonly string[], remedy: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, remedy]));
}

/** Stands behind every server: a method that only servers of other libraries have says what to write instead. */
export const foreignMethods: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(remedies).map(([name, remedy]) => {
      const value = (): never => {
        throw new TypeError(`A server has no "${name}": ${remedy.startsWith('import') ? remedy : `write ${remedy}`}`);
      };
      return [name, { value }];
    }),
  ),
);
