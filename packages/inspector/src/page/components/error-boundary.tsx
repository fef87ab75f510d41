import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
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
  const tried = useRef(lookedAt);
  // Not for the first time: what was drawn up to the error would be left as it is, without a word.
  useEffect(() => {
    if (tried.current !== lookedAt) again();
    tried.current = lookedAt;
  }, [lookedAt]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class={name}>
      <ProblemBox error="This can’t be shown: something in it is not as it should be." />
    </div>
  );
}
