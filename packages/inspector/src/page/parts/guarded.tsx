import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { ProblemBox } from './problem-box.tsx';

/**
 * A part of the page that goes by itself where it can't be drawn: a stranger may have sent what nothing can be made of. It is tried
 * again when something else is looked at.
 */
export function Guarded({
  name,
  lookedAt,
  children,
}: {
  /** The class of what stands in its place. */
  name: string;
  lookedAt: string;
  children: ComponentChildren;
}) {
  const [error, again] = useErrorBoundary();
  useEffect(again, [lookedAt]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class={name}>
      <ProblemBox error="This can’t be shown: something in it is not as it should be." />
    </div>
  );
}
