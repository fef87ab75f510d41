/** Runs a function without awaiting it, and logs its errors. */
export function runInBackground(
  server: { reportError(message: string, error: unknown): void },
  work: () => unknown,
): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => server.reportError('Unexpected error beside HTTP requests', error));
}
