import type { ConnectionStatus } from '../../shared/connections.ts';

interface StatusStyle {
  readonly shape: string;
  readonly word: string;
  readonly tone: string;
}

/** Icon, label and tone of each status; color is never the only signal. */
export const statusStyles: Readonly<Record<ConnectionStatus['is'], StatusStyle>> = {
  connecting: { shape: '◐', word: 'connecting', tone: 'dim' },
  connected: { shape: '●', word: 'connected', tone: 'ok' },
  'needs-sign-in': { shape: '▲', word: 'sign in', tone: 'note' },
  failed: { shape: '✕', word: 'failed', tone: 'bad' },
  reconnecting: { shape: '◐', word: 'lost', tone: 'note' },
  closed: { shape: '○', word: 'closed', tone: 'dim' },
};

/** Icon of a connection status. */
export function StatusIcon({ status }: { status: ConnectionStatus }) {
  const { shape, word, tone } = statusStyles[status.is];
  const turns = status.is === 'connecting' || status.is === 'reconnecting';
  return (
    <span class={`mark ${tone} ${turns ? 'turning' : ''}`} role="img" aria-label={word}>
      {shape}
    </span>
  );
}
