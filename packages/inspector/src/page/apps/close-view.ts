import type { HostedView } from '@ccmcp/core/apps-host';

/** An element into which others can be moved as they are: a frame goes on in it. */
type MoveTarget = HTMLElement & { moveBefore?(element: Element, before: Element | null): void };

/**
 * Ends a view whose place is about to go: it is told before, as hosts must, and has a moment to end. Where the browser can't keep its
 * frame for that, it is ended at once.
 */
export function closeView(view: HostedView, stage: HTMLElement): void {
  const frame = stage.querySelector('iframe');
  const keeper: MoveTarget = document.createElement('div');
  if (frame?.isConnected !== true || keeper.moveBefore === undefined || view.state !== 'ready') return view.kill();
  keeper.hidden = true;
  document.body.append(keeper);
  keeper.moveBefore(frame, null);
  void view.close('It is shown no more').finally(() => keeper.remove());
}
