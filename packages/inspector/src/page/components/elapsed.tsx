import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../model/store.ts';
import { formatDuration } from './format.ts';

/** Elapsed time since a moment, updated while mounted. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="mono">{formatDuration(Math.max(0, Math.floor((now - since) / 100) * 100))}</span>;
}
