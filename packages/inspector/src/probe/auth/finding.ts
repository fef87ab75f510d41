/** Result of one check: right, improvable, or wrong. */
export interface Finding {
  step: string;
  level: 'ok' | 'note' | 'fault';
  says: string;
  /** The field to change, and its right value. */
  change?: string;
}

/** Receives findings. */
export type OnFinding = (finding: Finding) => void;

/** Ends discovery early; the reason has been reported as a finding. */
export class DiscoveryFailed extends Error {}

/** Quotes an untrusted value, truncated. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
