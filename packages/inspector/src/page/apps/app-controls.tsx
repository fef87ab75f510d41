import type { DisplayMode } from '@ccmcp/core/apps-host';
import type { Connection } from '../../shared/connections.ts';
import { Button, Checkbox, Select } from '../components/controls.tsx';
import { type Entry, toolViewUri } from '../model/entries.ts';
import type { AppInstance } from './app-instance.ts';
import {
  changeSandboxSettings,
  getSandboxSettings,
  type HostSettings,
  hostSettings,
  isLocale,
  type Permission,
  type SandboxSettings,
} from './view-settings.ts';

const states = {
  starting: ['◐', 'starting', 'dim'],
  ready: ['●', 'shown', 'ok'],
  closed: ['○', 'ended', 'dim'],
} as const;

/** Controls of a view: reload, kill, host context and sandbox. */
export function AppControls({
  app,
  entry,
  connection,
  onReload,
}: {
  app: AppInstance | undefined;
  entry: Entry;
  connection: Connection;
  onReload: () => void;
}) {
  const state = app?.state.value ?? 'starting';
  const [shape, word, tone] = states[state];
  const { relaxed, permissions } = getSandboxSettings(connection.id, entry.id);
  return (
    <div class="app-controls">
      <div class="line app-head">
        <h2>View</h2>
        <span class={tone} role="status">
          {shape} {word}
        </span>
        {relaxed ? <span class="tag note">relaxed policy</span> : null}
        {permissions.length > 0 ? <span class="tag note">granted: {permissions.join(', ')}</span> : null}
        <code class="dim grow truncate">{toolViewUri(entry.raw)}</code>
        <Button class="quiet" onClick={onReload} title="Reloads it with the same result">
          Reload
        </Button>
        <Button
          class="quiet"
          disabled={state === 'closed' || app === undefined}
          onClick={() => app?.view.kill()}
          title="Removes it immediately"
        >
          Kill
        </Button>
      </div>
      <div class="line app-settings">
        <AppContextControls app={app} />
        <AppSandboxControls app={app} connection={connection.id} tool={entry.id} />
      </div>
    </div>
  );
}

const themes = [
  ['page', 'as the page'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const;
const platforms = [
  ['web', 'web'],
  ['desktop', 'desktop'],
  ['mobile', 'mobile'],
] as const;
const widths = [[0, 'all'] as const, ...[320, 480, 768].map((pixels) => [pixels, `${pixels} px`] as const)];
const heights = [200, 400, 600, 1200].map((pixels) => [pixels, `${pixels} px`] as const);
const modes: readonly (readonly [mode: DisplayMode, name: string])[] = [
  ['inline', 'in the page'],
  ['fullscreen', 'whole window'],
  ['pip', 'beside the page'],
];

/** Edits the host context that views receive. */
function AppContextControls({ app }: { app: AppInstance | undefined }) {
  const mode = app?.mode.value ?? 'inline';
  const { theme, locale, platform, width, height } = hostSettings.value;
  return (
    <>
      <Setting
        label="Theme"
        value={theme}
        options={themes}
        onChange={(chosen) => changeHostSettings({ theme: chosen })}
      />
      <label>
        Locale
        <input
          value={locale}
          size={6}
          spellcheck={false}
          aria-invalid={!isLocale(locale)}
          onInput={({ currentTarget }) => changeHostSettings({ locale: currentTarget.value })}
        />
      </label>
      <Setting
        label="Platform"
        value={platform}
        options={platforms}
        onChange={(chosen) => changeHostSettings({ platform: chosen })}
      />
      {mode === 'inline' ? (
        <>
          <Setting
            label="Width"
            value={width}
            options={widths}
            onChange={(chosen) => changeHostSettings({ width: chosen })}
          />
          <Setting
            label="Max height"
            value={height}
            options={heights}
            onChange={(chosen) => changeHostSettings({ height: chosen })}
          />
        </>
      ) : null}
      <Setting
        label="Shown"
        value={mode}
        disabled={app?.state.value !== 'ready'}
        options={modes}
        onChange={(chosen, select) => {
          app?.display(chosen);
          // The view may not support the mode.
          select.value = app?.mode.value ?? mode;
        }}
      />
    </>
  );
}

function Setting<Value extends string | number>({
  label,
  ...select
}: Omit<Parameters<typeof Select<Value>>[0], 'class'> & { label: string }) {
  return (
    <label>
      {label}
      <Select class="" {...select} />
    </label>
  );
}

function changeHostSettings(change: Partial<HostSettings>): void {
  hostSettings.value = { ...hostSettings.value, ...change };
}

const permissionNames: Readonly<Record<Permission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'location',
  clipboardWrite: 'writing to the clipboard',
};

/** Edits the sandbox of a view: its policy, its origin and its permissions. */
function AppSandboxControls({
  app,
  connection,
  tool,
}: {
  app: AppInstance | undefined;
  connection: string;
  tool: string;
}) {
  const { relaxed, origin, permissions } = getSandboxSettings(connection, tool);
  const change = (changed: Partial<SandboxSettings>) => changeSandboxSettings(connection, tool, changed);
  const page = app?.page.value;
  const reached = [...new Set(Object.values(page?.csp ?? {}).flat())];
  const grant = (name: Permission, isGranted: boolean) => {
    const others = permissions.filter((each) => each !== name);
    change({ permissions: isGranted ? [...others, name] : others });
  };
  return (
    <>
      <Checkbox
        label="Relaxed policy"
        title="Lets it make scripts from texts, and load blob: and data:"
        checked={relaxed}
        onChange={(checked) => change({ relaxed: checked })}
      />
      <Checkbox
        label="Without an origin"
        title="Without an origin it has no storage: some hosts show views so"
        checked={origin === 'opaque'}
        onChange={(checked) => change({ origin: checked ? 'opaque' : 'own' })}
      />
      {page === undefined || page.permissions.length === 0 ? null : (
        <fieldset class="app-permissions">
          <legend>It asks for</legend>
          {page.permissions.map((name) => (
            <Checkbox
              key={name}
              label={permissionNames[name]}
              title="Reloads the view, and lets it ask the browser"
              checked={permissions.includes(name)}
              onChange={(checked) => grant(name, checked)}
            />
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
