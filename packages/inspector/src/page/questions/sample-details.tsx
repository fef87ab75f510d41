import type { Question } from '../../shared/questions.ts';
import { isRecord, stringOrEmpty } from '../form/json.ts';

const maxHints = 4;

/** Model hints of a server that look like model names. */
export function modelHints({ modelPreferences }: Question['params']): readonly string[] {
  const hints = isRecord(modelPreferences) ? modelPreferences.hints : undefined;
  if (!Array.isArray(hints)) return [];
  const names = hints.flatMap((hint) =>
    isRecord(hint) && typeof hint.name === 'string' && /^[\w.:/@-]{1,80}$/.test(hint.name) ? [hint.name] : [],
  );
  return [...new Set(names)].slice(0, maxHints);
}

/** Parameters of a sampling request, and its protocol violations. */
export function SampleDetails({ params }: { params: Question['params'] }) {
  const { maxTokens, temperature, stopSequences, tools, toolChoice, includeContext, messages } = params;
  const facts = [
    typeof maxTokens === 'number' ? `at most ${maxTokens} tokens` : 'no maxTokens, which the protocol requires',
    ...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0
      ? [`stops at ${stopSequences.length} ${stopSequences.length === 1 ? 'text' : 'texts'}`]
      : []),
    ...(Array.isArray(tools)
      ? [`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${formatToolChoice(toolChoice)}`]
      : []),
    ...(modelHints(params).length > 0 ? [`would like ${modelHints(params).join(', ')}`] : []),
    ...(includeContext === 'thisServer' || includeContext === 'allServers'
      ? [`wants context (${includeContext}), which is not supported: none is added`]
      : []),
  ];
  const faults = findSampleProblems(messages);
  return (
    <>
      <p class="dim small">{facts.join(' · ')}</p>
      {faults.length === 0 ? null : (
        <ul class="small">
          {faults.map((fault) => (
            <li key={fault} class="note">
              ▲ {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function formatToolChoice(choice: unknown): string {
  const mode = (choice as { mode?: unknown } | null | undefined)?.mode;
  return typeof mode === 'string' ? `, ${mode.slice(0, 20)}` : '';
}

/** Protocol violations of a sampling request with tools. */
export function findSampleProblems(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return ['"messages" is no list'];
  const faults: string[] = [];
  let open: readonly string[] = [];
  for (const [at, message] of messages.entries()) {
    const pieces = contentOf(message);
    const results = idsOf(pieces, 'tool_result', 'toolUseId');
    if (results.length > 0 && results.length < pieces.length) {
      faults.push(`Message ${at + 1} has more than results of tools, which must stand alone`);
    }
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0) faults.push(`Message ${at + 1} lacks the result of ${missing.join(', ')}`);
    const strange = results.filter((id) => !open.includes(id));
    if (strange.length > 0) faults.push(`Message ${at + 1} has a result of ${strange.join(', ')}, which nobody used`);
    open = idsOf(pieces, 'tool_use', 'id');
  }
  if (open.length > 0) faults.push(`There is no result of ${open.join(', ')}`);
  return faults;
}

function contentOf(message: unknown): readonly unknown[] {
  const content = isRecord(message) ? message.content : undefined;
  return Array.isArray(content) ? content : [content];
}

function idsOf(pieces: readonly unknown[], type: string, name: string): readonly string[] {
  return pieces.flatMap((piece) =>
    isRecord(piece) && piece.type === type ? [stringOrEmpty(piece[name]).slice(0, 60)] : [],
  );
}
