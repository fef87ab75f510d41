import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../model/store.ts';
import { duration } from './format.ts';

/** How long something has been going on, counted while one looks at it. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="mono">{duration(Math.max(0, Math.floor((now - since) / 100) * 100))}</span>;
}
