import { isRecord, type Json } from '../form/json.ts';

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
