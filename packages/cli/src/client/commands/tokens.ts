import { type Client, tokenEstimate } from '@ccmcp/core/client';
import { Failure } from '../../command/failure.ts';
import { toOneLine } from '../../terminal/print.ts';
import { describeFailure, failedExitCode, type TargetOutcome, useEachTarget } from '../connection/each-target.ts';
import type { CommandCall } from '../context.ts';
import { measureRecording, type RecordedCost } from '../cost/recorded-results.ts';
import { measureServer, type Savings, savingsOf, type ServerCost, sum } from '../cost/tool-cost.ts';
import { toTable } from '../describe/table.ts';
import { readTools } from '../describe/server-tools.ts';

/** The cost of a server, and possible savings. */
interface MeasuredServer extends ServerCost {
  readonly savings: Savings;
}

interface Total {
  readonly servers: number;
  readonly tools: number;
  readonly tokens: number;
  readonly savings: Savings;
}

/** Estimates what servers cost a model, and what recorded results cost. Returns the exit code: that of the first target that failed. */
export async function tokens(call: CommandCall): Promise<number> {
  const { words, command, options } = call.words;
  if (words.length === 0 && command === undefined && options.recordings.length === 0) {
    throw new Failure('usage', 'A target is missing, or a recording', {
      hint: 'Name servers, such as "ccmcp tokens notes ./server.js", or a recording: --recording FILE.',
    });
  }
  const recordings = await Promise.all(options.recordings.map((file) => measureRecording(file, options.budget)));
  const outcomes = await useEachTarget(call, (client) => measure(client, options.over));
  const total = totalOf(outcomes, options.over);
  const json = {
    targets: outcomes.map((outcome) =>
      'failure' in outcome
        ? { target: outcome.target, ...outcome.failure.toJSON() }
        : { target: outcome.target, ...outcome.value },
    ),
    ...(total && { total }),
    ...(recordings.length > 0 && { recordings }),
    estimate: tokenEstimate,
  };
  call.output.value(json, () => describe(outcomes, total, recordings));
  return failedExitCode(outcomes) ?? 0;
}

async function measure(client: Client, over: number): Promise<MeasuredServer> {
  const { tools } = await readTools(client);
  const cost = measureServer(tools, client.instructions);
  return { ...cost, savings: savingsOf(cost.tools, over) };
}

function totalOf(outcomes: readonly TargetOutcome<MeasuredServer>[], over: number): Total | undefined {
  const servers = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
  if (servers.length === 0) return undefined;
  const tools = servers.flatMap((server) => server.tools);
  return {
    servers: servers.length,
    tools: tools.length,
    tokens: sum(servers.map((server) => server.tokens)),
    savings: savingsOf(tools, over),
  };
}

function describe(
  outcomes: readonly TargetOutcome<MeasuredServer>[],
  total: Total | undefined,
  recordings: readonly RecordedCost[],
): string {
  const servers = outcomes.map((outcome) =>
    'failure' in outcome ? describeFailure(outcome.target, outcome.failure) : serverText(outcome.target, outcome.value),
  );
  const sections = [
    ...servers,
    ...(total === undefined || outcomes.length < 2 ? [] : [totalText(total)]),
    ...(total === undefined || total.tools === 0 ? [] : [savingsText(total)]),
    ...recordings.map(recordingText),
    [`All figures are estimates: ${tokenEstimate}. Models count differently.`],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function serverText(target: string, { tokens: all, instructions, tools }: MeasuredServer): string[] {
  const own = instructions === 0 ? '' : `, ${instructions} of them for the instructions`;
  const head = `${toOneLine(target)}: about ${all} tokens for ${count(tools.length, 'tool')}${own}`;
  if (tools.length === 0) return [head];
  const rows = tools.map(({ name, tokens: each, parts, beside }) => [
    each,
    parts.name,
    parts.description,
    parts.arguments,
    parts.inputSchema,
    beside.outputSchema,
    beside.annotations + beside.title,
    name,
  ]);
  const titles = ['tokens', 'name', 'description', 'arguments', 'schema', 'output*', 'hints*', 'tool'];
  return [
    head,
    ...toTable([titles, ...rows]).map((line) => `  ${line}`),
    '  * output schemas, titles and annotations: only some clients pass them, they are not in the sum',
  ];
}

function totalText({ servers, tools, tokens: all }: Total): string[] {
  return [`All: about ${all} tokens for ${count(tools, 'tool')} of ${count(servers, 'server')}`];
}

function savingsText({ tokens: all, savings }: Total): string[] {
  const { toolSearch, descriptions, outputSchemas } = savings;
  const rows = [
    [
      toolSearch.saved,
      all,
      `toolSearch: the list costs ${toolSearch.list}, and each search about ${toolSearch.search}`,
    ],
    [
      descriptions.saved,
      all,
      `${count(descriptions.count, 'description')} with more than ${descriptions.over} tokens, cut to that`,
    ],
    [outputSchemas.saved, all + outputSchemas.saved, 'output schemas left out, for clients that pass them'],
  ] as const;
  const effective = rows.filter(([saved]) => saved > 0);
  if (effective.length === 0) return [];
  return [
    'Would save',
    ...toTable(effective.map(([saved, of, what]) => [saved, percent(saved, of), what])).map(indent),
  ];
}

function recordingText({ file, calls, tokens: all, tools, savings }: RecordedCost): string[] {
  const rows = tools.map(({ name, calls: times, tokens: each, mean, largest }) => [each, times, mean, largest, name]);
  const { budget, cut, saved } = savings.resultBudget;
  const rest = `unless the rest of the ${count(cut, 'result')} above it is read`;
  return [
    `${toOneLine(file)}: about ${all} tokens for the results of ${count(calls, 'call')}`,
    ...(rows.length === 0 ? [] : toTable([['tokens', 'calls', 'mean', 'largest', 'tool'], ...rows]).map(indent)),
    ...(saved === 0
      ? []
      : [`  resultBudget of ${budget} tokens would save about ${saved} (${percent(saved, all)}), ${rest}`]),
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function indent(line: string): string {
  return `  ${line}`;
}
