/** Whether this process runs under Node's permission model, which forbids `fsync` and `fchmod`. */
export function hasPermissionModel(): boolean {
  return (process as { permission?: unknown }).permission !== undefined;
}
