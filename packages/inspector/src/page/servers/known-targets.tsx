import type { Connection, KnownTarget } from '../../shared/connections.ts';

const groups: readonly (readonly [origin: KnownTarget['origin'], title: string])[] = [
  ['mounted', 'In this process'],
  ['given', 'Named when the inspector was started'],
  ['last', 'Last time'],
  ['configured', 'Configured in your clients'],
  ['ready-made', 'Ready-made'],
];

/** What can be connected to without typing, by who names it. */
export function KnownTargets({
  targets,
  connections,
  busy,
  onChoose,
}: {
  targets: readonly KnownTarget[];
  connections: ReadonlyMap<string, Connection>;
  busy: boolean;
  onChoose: (id: string) => void;
}) {
  const connected = new Set([...connections.values()].map(({ target }) => target));
  return (
    <>
      {groups.map(([origin, title]) => {
        const own = targets.filter((target) => target.origin === origin);
        return own.length === 0 ? null : (
          <section key={origin} class="block" aria-label={title}>
            <h2>{title}</h2>
            <ul class="targets">
              {own.map(({ id, label, detail = '' }) => (
                <li key={id}>
                  <button type="button" disabled={busy} onClick={() => onChoose(id)}>
                    <span class="mono cut" title={label}>
                      {label}
                    </span>
                    {detail === label || detail === '' ? null : (
                      <span class="dim cut" title={detail}>
                        {detail}
                      </span>
                    )}
                    {connected.has(id) ? <span class="dim small">added</span> : null}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
