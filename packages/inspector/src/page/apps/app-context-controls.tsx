import type { DisplayMode } from '@ccmcp/core/apps-host';
import { displayModes, isLocale, type HostSettings, hostSettings } from './host-context.ts';
import type { AppInstance } from './app-instance.ts';

const modeNames: Readonly<Record<DisplayMode, string>> = {
  inline: 'in the page',
  fullscreen: 'whole window',
  pip: 'beside the page',
};

/** What a view is told of its place. */
export function AppContextControls({ app }: { app: AppInstance | undefined }) {
  const mode = app?.mode.value ?? 'inline';
  const { theme, locale, platform } = hostSettings.value;
  return (
    <>
      <label>
        Theme
        <select
          value={theme}
          onChange={({ currentTarget }) => changeHostSettings({ theme: currentTarget.value as typeof theme })}
        >
          <option value="page">as the page</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
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
      <label>
        Platform
        <select
          value={platform}
          onChange={({ currentTarget }) => changeHostSettings({ platform: currentTarget.value as typeof platform })}
        >
          <option>web</option>
          <option>desktop</option>
          <option>mobile</option>
        </select>
      </label>
      {mode === 'inline' ? <SizeControls /> : null}
      <label>
        Shown
        <select
          value={mode}
          disabled={app?.state.value !== 'shown'}
          onChange={(event) => {
            app?.display(event.currentTarget.value as DisplayMode);
            // A view may not be able to: then it stays as it was.
            event.currentTarget.value = app?.mode.value ?? mode;
          }}
        >
          {displayModes.map((each) => (
            <option key={each} value={each}>
              {modeNames[each]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function SizeControls() {
  const { width, height } = hostSettings.value;
  return (
    <>
      <label>
        Width
        <select
          value={width}
          onChange={({ currentTarget }) => changeHostSettings({ width: Number(currentTarget.value) })}
        >
          <option value={0}>all</option>
          {[320, 480, 768].map((pixels) => (
            <option key={pixels} value={pixels}>
              {pixels} px
            </option>
          ))}
        </select>
      </label>
      <label>
        Height up to
        <select
          value={height}
          onChange={({ currentTarget }) => changeHostSettings({ height: Number(currentTarget.value) })}
        >
          {[200, 400, 600, 1200].map((pixels) => (
            <option key={pixels} value={pixels}>
              {pixels} px
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function changeHostSettings(change: Partial<HostSettings>): void {
  hostSettings.value = { ...hostSettings.value, ...change };
}
