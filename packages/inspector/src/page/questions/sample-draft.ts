import { isRecord, type Json, stringOrEmpty } from '../../shared/json.ts';
import type { Question } from '../../shared/questions.ts';

/** Initial answer to a sampling request. */
export const emptyAnswer: Json = {
  role: 'assistant',
  model: 'by-hand',
  content: { type: 'text', text: '' },
  stopReason: 'endTurn',
};

function contentBlocks(answer: Json | undefined): readonly Json[] {
  if (!isRecord(answer) || answer.content === undefined) return [];
  const { content } = answer;
  return (Array.isArray(content) ? content : [content]) as readonly Json[];
}

function isText(piece: Json): piece is { type: 'text'; text: string } {
  return isRecord(piece) && piece.type === 'text' && typeof piece.text === 'string';
}

function answerOrEmpty(answer: Json | undefined): Readonly<Record<string, Json>> {
  return (isRecord(answer) ? answer : emptyAnswer) as Readonly<Record<string, Json>>;
}

/** The answer's text: its first text block. */
export function answerText(answer: Json | undefined): string {
  return contentBlocks(answer).find(isText)?.text ?? '';
}

/** Blocks beside the text: tool uses, images. */
export function otherContent(answer: Json | undefined): readonly Json[] {
  const pieces = contentBlocks(answer);
  const text = pieces.find(isText);
  return pieces.filter((piece) => piece !== text);
}

/** Replaces the text. A single block stays single: older revisions have no lists. */
export function withAnswerText(answer: Json | undefined, text: string): Json {
  const pieces = contentBlocks(answer);
  const before = pieces.find(isText);
  const others = otherContent(answer);
  const piece = { ...before, type: 'text', text };
  const all =
    text === '' && others.length > 0
      ? others
      : before === undefined
        ? [piece, ...others]
        : pieces.map((each) => (each === before ? piece : each));
  return { ...answerOrEmpty(answer), content: all.length === 1 ? (all[0] as Json) : all };
}

/** Replaces the model name or the stop reason. */
export function withAnswerField(answer: Json | undefined, fact: 'model' | 'stopReason', value: string): Json {
  return { ...answerOrEmpty(answer), [fact]: value };
}

/** A string field of an answer. */
export function answerField(answer: Json | undefined, fact: 'model' | 'stopReason'): string {
  const value = isRecord(answer) ? answer[fact] : undefined;
  return typeof value === 'string' ? value : '';
}

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
    if (strange.length > 0) faults.push(`Message ${at + 1} has a result of ${strange.join(', ')} without a tool use`);
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
