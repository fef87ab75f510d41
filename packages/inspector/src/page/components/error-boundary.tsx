import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { ProblemBox } from './problem-box.tsx';

/** Contains render errors of one part of the page: untrusted data may be malformed. Retries when the user navigates. */
export function ErrorBoundary({
  name,
  lookedAt,
  children,
}: {
  /** CSS class of the fallback element. */
  name: string;
  lookedAt: string;
  children: ComponentChildren;
}) {
  const [error, again] = useErrorBoundary();
  const tried = useRef(lookedAt);
  // Not on mount: a retry would leave the half-rendered children without a message.
  useEffect(() => {
    if (tried.current !== lookedAt) again();
    tried.current = lookedAt;
  }, [lookedAt]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class={name}>
      <ProblemBox error="This can’t be displayed: the data is malformed." />
    </div>
  );
}
