import { reject, unavailable } from '../answer/reject.ts';
import type { Step } from './step.ts';

/** Answers 503 while too many requests run or memory is short. Urgent methods such as `ping` are still served. */
export const shedLoad: Step = (next) => (context) => {
  const { endpoint, message } = context;
  if (message?.kind !== 'request' && message?.kind !== 'batch') return next(context);
  const { running, maxRunning, memory, server } = endpoint;
  const reason =
    running.size >= maxRunning ? `${running.size} requests are running` : memory.shortage(context, server.methods);
  if (reason === undefined) return next(context);
  const request = message.kind === 'request' ? message.message : undefined;
  if (request !== undefined && server.methods.of(request.method).urgent) return next(context);
  context.usage.countRejection('busy', 'server');
  return reject(context, { ...unavailable(`Server busy: ${reason}`, 1), ...(request && { id: request.id }) });
};
