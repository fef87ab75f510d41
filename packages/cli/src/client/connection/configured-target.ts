import { type ConfiguredServer, findServer, configuredNames, NoSuchServerError } from '../../config/find-server.ts';
import { json } from '../../config/file/json.ts';
import { maskSecrets } from '../../config/file/secrets.ts';
import { resolveStart } from '../../config/start-command.ts';
import { processEnvironment } from '../../system/environment.ts';
import { toOneLine } from '../../terminal/print.ts';
import { Failure } from '../../command/failure.ts';
import { quoteWord } from '../../system/shell-words.ts';
import { didYouMean } from '../../command/suggest.ts';

/** The settings of a configured target. */
export interface Configured {
  headers: Record<string, string>;
  env: Record<string, string>;
  /** The program or URL, and the file that configures it. */
  note: string;
}

/** A target that is configured in a file. */
type ConfiguredTarget = { label: string; configured: Configured } & (
  | { kind: 'url'; url: URL }
  | { kind: 'command'; command: string; args: readonly string[]; cwd: string }
);

/** The target that is configured under a name, in a client or in a file of the folder; undefined if there is none. */
export function findConfiguredTarget(
  word: string,
  env: Readonly<Record<string, string>>,
): ConfiguredTarget | undefined {
  const environment = processEnvironment();
  const place = { ...environment, env: { ...environment.env, ...env } };
  try {
    const found = findServer(word, place);
    if (found === undefined) return undefined;
    const { entry, folder } = found;
    const configured = { headers: {}, env: {}, note: describeTarget(word, found) };
    if (entry.kind === 'http') {
      if (!URL.canParse(entry.url)) throw new NoSuchServerError(`The address of "${word}" is not a URL`);
      return {
        kind: 'url',
        url: new URL(entry.url),
        label: word,
        configured: { ...configured, headers: entry.headers },
      };
    }
    const { env: own, ...program } = resolveStart(entry, { ...place, cwd: folder });
    return { kind: 'command', ...program, label: word, configured: { ...configured, env: own } };
  } catch (error) {
    throw targetFailure(word, error);
  }
}

/** The names of configured servers, as typed on a command line. */
export function configuredTargetNames(): string[] {
  return configuredNames(processEnvironment());
}

function targetFailure(word: string, error: unknown): Failure {
  if (!(error instanceof NoSuchServerError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Failure('unreachable', `"${word}" can't be used: ${reason}`, { cause: error });
  }
  const { message, names } = error;
  const meant = didYouMean(word.slice(word.lastIndexOf(':') + 1), names);
  const hint =
    error.advice ?? (names.length === 0 ? undefined : `It has ${names.slice(0, 50).map(toOneLine).join(', ')}.`);
  return new Failure('usage', `${message}${meant === '' ? '' : `.${meant}`}`, { hint, cause: error });
}

/** Describes a configured server to the user, without its secrets. */
function describeTarget(word: string, { entry, path, isOn }: ConfiguredServer): string {
  const said = entry.kind === 'http' ? { url: entry.url } : { args: [entry.command, ...entry.args] };
  const shown = JSON.parse(maskSecrets(json, JSON.stringify(said))) as { url?: string; args?: string[] };
  const what = shown.url ?? (shown.args ?? []).map(quoteWord).join(' ');
  return toOneLine(`${word}, by ${path}${isOn ? '' : ', where it is switched off'}: ${what}`);
}
