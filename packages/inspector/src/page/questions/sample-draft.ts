import { isRecord, type Json } from '../form/json.ts';

/** An answer to a request for a sample that a person begins to write. */
export const emptyAnswer: Json = {
  role: 'assistant',
  model: 'by-hand',
  content: { type: 'text', text: '' },
  stopReason: 'endTurn',
};

function piecesOf(answer: Json | undefined): readonly Json[] {
  if (!isRecord(answer) || answer.content === undefined) return [];
  const { content } = answer;
  return (Array.isArray(content) ? content : [content]) as readonly Json[];
}

function isText(piece: Json): piece is { type: 'text'; text: string } {
  return isRecord(piece) && piece.type === 'text' && typeof piece.text === 'string';
}

function begunAnswer(answer: Json | undefined): Readonly<Record<string, Json>> {
  return (isRecord(answer) ? answer : emptyAnswer) as Readonly<Record<string, Json>>;
}

/** The text of an answer, which is its first piece of text. */
export function answerText(answer: Json | undefined): string {
  return piecesOf(answer).find(isText)?.text ?? '';
}

/** What an answer has beside its text: tools that a model wants to use, pictures. */
export function otherPieces(answer: Json | undefined): readonly Json[] {
  const pieces = piecesOf(answer);
  const text = pieces.find(isText);
  return pieces.filter((piece) => piece !== text);
}

/** The same answer with another text. One piece stays one, as older revisions know no lists. */
export function withAnswerText(answer: Json | undefined, text: string): Json {
  const pieces = piecesOf(answer);
  const before = pieces.find(isText);
  const others = otherPieces(answer);
  const piece = { ...before, type: 'text', text };
  const all =
    text === '' && others.length > 0
      ? others
      : before === undefined
        ? [piece, ...others]
        : pieces.map((each) => (each === before ? piece : each));
  return { ...begunAnswer(answer), content: all.length === 1 ? (all[0] as Json) : all };
}

/** The same answer with another name of a model, or another reason to stop. */
export function withAnswerFact(answer: Json | undefined, fact: 'model' | 'stopReason', value: string): Json {
  return { ...begunAnswer(answer), [fact]: value };
}

/** A text that an answer says beside its content. */
export function answerFact(answer: Json | undefined, fact: 'model' | 'stopReason'): string {
  const value = isRecord(answer) ? answer[fact] : undefined;
  return typeof value === 'string' ? value : '';
}
