import { Failure, exitCodes } from '../../command/failure.ts';
import { didYouMean } from '../../command/suggest.ts';
import { toOneLine } from '../../terminal/print.ts';
import { describeFailure, failedExitCode, type TargetOutcome, useEachTarget } from '../connection/each-target.ts';
import type { CommandCall } from '../context.ts';
import { readTools, type ServerTools } from '../describe/server-tools.ts';
import { type Finding, type Rule, severities } from '../lint/finding.ts';
import { lint } from '../lint/lint.ts';
import { type HitRates, measureHits, type Miss, readQuestions } from '../lint/questions.ts';
import { rules } from '../lint/rules.ts';
import type { ClientOptions } from '../options.ts';

/** The findings for one server. */
interface CheckedServer extends ServerTools {
  readonly findings: readonly Finding[];
}

/** Maximum number of findings to show per rule and server; `--json` has all. */
const maxShown = 20;

/** Maximum length of a server's text; `--json` has all of it. */
const maxLength = 300;

/** Checks the tools of servers. Returns the exit code: of the first target that failed, else whether there are errors. */
export async function check(call: CommandCall): Promise<number> {
  const { words, command, options } = call.words;
  if (words.length === 0 && command === undefined) {
    throw new Failure('usage', 'A target is missing', {
      hint: 'Name servers, such as "ccmcp check notes ./server.js".',
    });
  }
  const wanted = chooseRules(options);
  const questions = options.questions === undefined ? undefined : await readQuestions(options.questions);
  const outcomes = await useEachTarget(call, async (client) => {
    const found = await readTools(client);
    return { ...found, findings: lint({ tools: found.tools, instructions: client.instructions }, wanted) };
  });
  const rates = questions && measureHits(questions, toolsOf(outcomes));
  const findings = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value.findings : []));
  const malformed = outcomes.some((outcome) => 'value' in outcome && outcome.value.malformed > 0);
  const json = {
    targets: outcomes.map((outcome) =>
      'failure' in outcome
        ? { target: outcome.target, ...outcome.failure.toJSON() }
        : {
            target: outcome.target,
            tools: outcome.value.tools.length,
            malformed: outcome.value.malformed,
            findings: outcome.value.findings,
          },
    ),
    counts: countBySeverity(findings),
    ...(rates && { questions: rates }),
  };
  call.output.value(json, () => describe(outcomes, rates));
  const fails = ({ severity }: Finding): boolean => severity === 'error' || (options.strict && severity === 'warning');
  return failedExitCode(outcomes) ?? exitCodes[malformed || findings.some(fails) ? 'findings' : 'done'].code;
}

function chooseRules({ rules: only, ignored }: ClientOptions): Rule[] {
  const ids = rules.map(({ id }) => id);
  for (const [option, given] of [
    ['--rule', only],
    ['--ignore', ignored],
  ] as const) {
    const stray = given.find((id) => !ids.includes(id));
    if (stray === undefined) continue;
    throw new Failure('usage', `${option}: there is no rule "${stray}".${didYouMean(stray, ids)}`, {
      hint: `The rules are ${ids.join(', ')}.`,
    });
  }
  return rules.filter(({ id }) => (only.length === 0 || only.includes(id)) && !ignored.includes(id));
}

/** The tools of all targets, with the target where there are several. */
function toolsOf(outcomes: readonly TargetOutcome<CheckedServer>[]) {
  return outcomes.flatMap((outcome) => {
    if ('failure' in outcome) return [];
    const { tools } = outcome.value;
    return outcomes.length === 1 ? tools : tools.map((tool) => ({ ...tool, server: outcome.target }));
  });
}

function countBySeverity(findings: readonly Finding[]): Record<string, number> {
  return Object.fromEntries(
    severities.map((severity) => [`${severity}s`, findings.filter((each) => each.severity === severity).length]),
  );
}

function describe(outcomes: readonly TargetOutcome<CheckedServer>[], rates: HitRates | undefined): string {
  const sections = outcomes.map((outcome) =>
    'failure' in outcome ? describeFailure(outcome.target, outcome.failure) : serverText(outcome.target, outcome.value),
  );
  if (rates !== undefined) sections.push(ratesText(rates));
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function serverText(target: string, { tools, malformed, findings }: CheckedServer): string[] {
  const counts = severities.flatMap((severity) => {
    const number = findings.filter((each) => each.severity === severity).length;
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? '' : 's'}`];
  });
  const tooFew = malformed === 0 ? [] : [`  error    ${malformed} rows of the list are no tools: objects with a name`];
  const result = counts.length === 0 && malformed === 0 ? 'nothing found' : counts.join(', ');
  const head = `${toOneLine(target)}: ${tools.length} tool${tools.length === 1 ? '' : 's'}, ${result || 'errors'}`;
  return [head, ...tooFew, ...severities.flatMap((severity) => rulesText(findings, severity))];
}

/** The findings of one severity, by rule. */
function rulesText(findings: readonly Finding[], severity: Finding['severity']): string[] {
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.severity !== severity) continue;
    const known = byRule.get(finding.rule);
    if (known === undefined) byRule.set(finding.rule, [finding]);
    else known.push(finding);
  }
  return Array.from(byRule.values(), (found) => {
    const [{ rule, advice }] = found as [Finding, ...Finding[]];
    const more = found.length - maxShown;
    return [
      `  ${severity.padEnd(8)} ${rule}: ${advice}`,
      ...found.slice(0, maxShown).map(({ tool, path, message }) => {
        const place = [tool, path]
          .filter((part) => part !== undefined && part !== '')
          .map((part) => brief(part as string));
        return `    ${place.length === 0 ? '' : `${place.join(' ')}: `}${brief(message)}`;
      }),
      ...(more > 0 ? [`    … and ${more} more, which --json shows`] : []),
    ];
  }).flat();
}

function ratesText({ questions, first, firstFive, misses }: HitRates): string[] {
  return [
    `Questions: ${questions}, a right tool first for ${percent(first)} (R@1), among the first five for ${percent(firstFive)} (R@5)`,
    ...misses.flatMap(missText),
  ];
}

function missText({ question, tools, place, found, unknown = [] }: Miss): string[] {
  const where = place === undefined ? 'not among the first five' : `at place ${place}`;
  return [
    `  ${brief(question)}`,
    `    ${tools.map(brief).join(' or ')} is ${where}: ${found.length === 0 ? 'nothing is found' : found.map(brief).join(', ')}`,
    ...unknown.map((name) => `    no target has a tool "${brief(name)}"`),
  ];
}

/** Names come from a server or a file and may be of any length. */
function brief(text: string): string {
  const line = toOneLine(text);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
