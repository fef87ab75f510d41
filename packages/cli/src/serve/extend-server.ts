import type { Server } from '@ccmcp/core';
import type { ServeCommand } from '../servers/serve-command.ts';
import { isTraced } from './is-extended.ts';

/** Attaches what the command line asks for: logs and tool search; and OpenTelemetry if it is set up. */
export async function extendServer(server: Server, command: ServeCommand): Promise<void> {
  if (command.lock !== undefined) await (await import('./assert-locked.ts')).assertLocked(server, command.lock);
  if (isTraced()) {
    const { telemetry } = await import('@ccmcp/core/telemetry');
    server.observe(telemetry());
  }
  if (command.logRequests) {
    const { requestLog } = await import('@ccmcp/core/observe');
    server.observe(requestLog());
  }
  if (command.toolSearch !== undefined) {
    const { toolSearch } = await import('@ccmcp/core/tool-search');
    server.use(toolSearch(command.toolSearch));
  }
  if (command.audit !== undefined) await attachAudit(server, command.audit, command);
}

async function attachAudit(
  server: Server,
  file: string,
  { auditKeyVariable, auditStrict }: ServeCommand,
): Promise<void> {
  const { audit } = await import('@ccmcp/core/audit');
  const key = auditKeyVariable === undefined ? undefined : process.env[auditKeyVariable];
  if (auditKeyVariable !== undefined && !key) throw new Error(`${auditKeyVariable} holds no key for the audit log`);
  const trail = audit({ file, ...(key && { key }), ...(auditStrict && { onFailure: 'refuse' }) });
  server.observe(trail);
  if (auditStrict) server.use(trail.guard);
}
