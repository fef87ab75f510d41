/** Whether this process runs under Node's permission model, which allows nobody to sync a file or to change its mode by its descriptor. */
export function hasPermissionModel(): boolean {
  return (process as { permission?: unknown }).permission !== undefined;
}
