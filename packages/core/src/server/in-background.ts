/** Does something beside what is answered: its failure is nobody's answer, only a line in the log. */
export function inBackground(
  server: { reportError(message: string, error: unknown): void },
  work: () => unknown,
): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => server.reportError('Unexpected error beside HTTP requests', error));
}
