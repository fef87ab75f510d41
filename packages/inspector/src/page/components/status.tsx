import { useEffect, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../shared/connections.ts';
import { serverTime } from '../model/store.ts';
import { formatDuration } from './format.ts';

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

/** Elapsed time since a moment, updated while mounted. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => serverTime());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverTime()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="mono">{formatDuration(Math.max(0, Math.floor((now - since) / 100) * 100))}</span>;
}
