import { changeSandboxSettings, getSandboxSettings, type Permission } from './sandbox-settings.ts';
import type { AppInstance } from './app-instance.ts';

const names: Readonly<Record<Permission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'location',
  clipboardWrite: 'writing to the clipboard',
};

/** How a view is held: its policy, its origin, and what it is granted of that which it asks for. */
export function AppSandboxControls({
  app,
  connection,
  tool,
}: {
  app: AppInstance | undefined;
  connection: string;
  tool: string;
}) {
  const { relaxed, origin, permissions } = getSandboxSettings(connection, tool);
  const page = app?.page.value;
  const reached = [...new Set(Object.values(page?.csp ?? {}).flat())];
  const grant = (name: Permission, isGranted: boolean) => {
    const others = permissions.filter((each) => each !== name);
    changeSandboxSettings(connection, tool, { permissions: isGranted ? [...others, name] : others });
  };
  return (
    <>
      <label title="Lets it make scripts from texts, and load blob: and data:">
        <input
          type="checkbox"
          checked={relaxed}
          onChange={({ currentTarget }) => changeSandboxSettings(connection, tool, { relaxed: currentTarget.checked })}
        />
        Relaxed policy
      </label>
      <label title="Without an origin it has no storage: some hosts show views so">
        <input
          type="checkbox"
          checked={origin === 'opaque'}
          onChange={({ currentTarget }) =>
            changeSandboxSettings(connection, tool, { origin: currentTarget.checked ? 'opaque' : 'own' })
          }
        />
        Without an origin
      </label>
      {page === undefined || page.permissions.length === 0 ? null : (
        <fieldset class="app-permissions">
          <legend>It asks for</legend>
          {page.permissions.map((name) => (
            <label key={name} title="Shows the view anew, and lets it ask the browser">
              <input
                type="checkbox"
                checked={permissions.includes(name)}
                onChange={({ currentTarget }) => grant(name, currentTarget.checked)}
              />
              {names[name]}
            </label>
          ))}
        </fieldset>
      )}
      {page === undefined ? null : (
        <span title="The origins that its server declared">
          {reached.length === 0 ? 'Reaches no other origin' : `May reach ${reached.join(', ')}`}
        </span>
      )}
    </>
  );
}
