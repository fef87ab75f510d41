import type { ConnectionStatus } from '../../shared/connections.ts';

interface Look {
  readonly shape: string;
  readonly word: string;
  readonly tone: string;
}

/** Each status has a shape, a word and a colour; the colour is never alone. */
export const looks: Readonly<Record<ConnectionStatus['is'], Look>> = {
  connecting: { shape: '◐', word: 'connecting', tone: 'dim' },
  connected: { shape: '●', word: 'connected', tone: 'ok' },
  'needs-sign-in': { shape: '▲', word: 'sign in', tone: 'note' },
  failed: { shape: '✕', word: 'failed', tone: 'bad' },
  reconnecting: { shape: '◐', word: 'lost', tone: 'note' },
  closed: { shape: '○', word: 'closed', tone: 'dim' },
};

/** The shape of a connection's status. */
export function StatusMark({ status }: { status: ConnectionStatus }) {
  const { shape, word, tone } = looks[status.is];
  const turns = status.is === 'connecting' || status.is === 'reconnecting';
  return (
    <span class={`mark ${tone} ${turns ? 'turning' : ''}`} role="img" aria-label={word}>
      {shape}
    </span>
  );
}
