import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setValue } from '../config/file/edit.ts';
import { json } from '../config/file/json.ts';
import { UsageError } from '../command/usage-error.ts';
import { interruptible } from '../command/interruptible.ts';
import { parseRecord } from '../system/record.ts';
import { print, toOneLine } from '../terminal/print.ts';
import { type Bundle, writeBundle } from './bundle.ts';
import { installButtons } from './install-buttons.ts';
import { askServer, type Project, readProject, readText } from './project.ts';
import { createServerJson, defaultName, registryName, type Variable } from './server-json.ts';

/** The command line of `ccmcp pack`. */
interface PackArguments {
  readonly values: {
    name?: string;
    env?: readonly string[];
    secret?: readonly string[];
    'bundle-url'?: string;
    'no-bundle'?: true;
    json?: true;
  };
  readonly positionals: readonly string[];
}

/** `ccmcp pack`: makes what publishing needs. Returns the exit code. */
export async function pack({ values, positionals }: PackArguments): Promise<number> {
  const [folder, another] = positionals;
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  const project = readProject(folder);
  const { program } = project;
  if (program === undefined) {
    throw new Error(
      'package.json has no "bin": add "bin": { "NAME": "FILE" } with the file that serves, so that npx can start it',
    );
  }
  if (!existsSync(join(project.folder, program)))
    throw new Error(`there is no ${program}, which "bin" names: build the project first`);
  const existing = readServerJson(project);
  const name = chooseName(values.name, project, existing);
  const variables = readVariables(values);
  const url = bundleUrl(values);
  const made = await interruptible(async (signal) => {
    const listing = await askServer(project.folder, program, signal);
    const bundle = values['no-bundle']
      ? undefined
      : await writeBundle({ project, program, listing, variables, signal });
    const named = bundle !== undefined && url !== undefined ? { bundle: { url, sha256: bundle.sha256 } } : {};
    const serverJson = createServerJson({ project, name, listing, variables, ...named }, existing);
    writeJson(join(project.folder, 'server.json'), serverJson);
    return { bundle, files: ['server.json', ...writeManifest(project, name), ...writeDockerfile(project, name)] };
  });
  const buttons = installButtons(project, variables);
  report({ name, ...made, buttons }, values.json === true);
  return 0;
}

function readServerJson({ folder }: Project): Readonly<Record<string, unknown>> | undefined {
  const text = readText(join(folder, 'server.json'));
  if (text === undefined) return undefined;
  const found = parseRecord(text);
  if (found === undefined) throw new Error('server.json is no JSON object: correct it, or remove it');
  return found;
}

function chooseName(
  given: string | undefined,
  project: Project,
  existing: Readonly<Record<string, unknown>> | undefined,
): string {
  const name = given ?? project.manifest.mcpName ?? existing?.name ?? defaultName(project);
  if (typeof name === 'string' && registryName.test(name)) return name;
  const example = 'such as io.github.OWNER/NAME, or com.example/NAME if you own example.com';
  if (name === undefined) throw new UsageError(`give the name in the registry with --name, ${example}`);
  throw new UsageError(`${JSON.stringify(name)} is no name of the registry: use one with one slash, ${example}`);
}

function readVariables({ env = [], secret = [] }: PackArguments['values']): Variable[] {
  const names = [
    ...env.map((name) => ({ name, isSecret: false })),
    ...secret.map((name) => ({ name, isSecret: true })),
  ];
  for (const { name } of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError(`${name} is no name of an environment variable`);
  }
  return names;
}

function bundleUrl(values: PackArguments['values']): string | undefined {
  const url = values['bundle-url'];
  if (url === undefined) return undefined;
  if (values['no-bundle']) throw new UsageError('--bundle-url and --no-bundle exclude each other');
  if (!URL.canParse(url) || !url.startsWith('https://')) throw new UsageError('--bundle-url must be an https URL');
  return url;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Adds `mcpName`, and leaves the rest of the text as it is. */
function writeManifest({ folder, manifest, manifestText }: Project, name: string): string[] {
  if (manifest.mcpName === name) return [];
  writeFileSync(join(folder, 'package.json'), setValue(json, manifestText, ['mcpName'], name));
  return ['package.json'];
}

function writeDockerfile({ folder, name: packageName, version, command = '' }: Project, name: string): string[] {
  const path = join(folder, 'Dockerfile');
  if (existsSync(path)) return [];
  writeFileSync(
    path,
    `# The server on stdio:  docker run -i --rm IMAGE
FROM node:24-alpine
LABEL io.modelcontextprotocol.server.name="${name}"
RUN npm install --global --omit=dev ${packageName}@${version}
USER node
ENTRYPOINT ["${command}"]
`,
  );
  return ['Dockerfile'];
}

interface Made {
  readonly name: string;
  readonly bundle: Bundle | undefined;
  readonly files: readonly string[];
  readonly buttons: string;
}

function report({ name, bundle, files, buttons }: Made, asJson: boolean): void {
  const all = [...files, ...(bundle ? [bundle.file] : [])];
  if (asJson) {
    print(`${JSON.stringify({ name, files: all, ...(bundle && { bundle }), buttons })}\n`);
    return;
  }
  const size = bundle === undefined ? '' : ` (${(bundle.bytes / 1024).toFixed(0)} KB, SHA-256 ${bundle.sha256})`;
  print(
    `${toOneLine(name)}: wrote ${all.join(', ')}${size}\n\nFor README.md:\n\n${buttons}\nNext: ccmcp publish --check, npm publish, mcp-publisher publish\n`,
  );
}
