import { host } from '../host.ts';

const leaving = ['q', 'Q', '\u0003', '\u0004'];

/** Calls back when somebody at the terminal wants to leave: with `q`, Ctrl+C or Ctrl+D. Gives the way to give the keys back. */
export function onLeave(leave: () => void): () => void {
  const { stdin, signals } = host;
  signals.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave);
  const back = (): void => void signals.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave);
  if (!stdin.isTTY) return back;
  const onKey = (key: Buffer): void => {
    if (leaving.some((each) => key.includes(each))) leave();
  };
  stdin.setRawMode(true);
  stdin.on('data', onKey).resume();
  return () => {
    back();
    stdin.off('data', onKey).pause();
    stdin.setRawMode(false);
  };
}
