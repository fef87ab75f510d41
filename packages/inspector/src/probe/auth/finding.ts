/** One thing that was looked at: it is right, could be better, or is wrong. */
export interface Finding {
  step: string;
  level: 'ok' | 'note' | 'fault';
  says: string;
  /** The field to change, and to what. */
  change?: string;
}

/** Takes findings as they are made. */
export type Found = (finding: Finding) => void;

/** Ends a way that leads nowhere; what is wrong was found already. */
export class DeadEnd extends Error {}

/** A text of a stranger, short enough to be quoted. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
