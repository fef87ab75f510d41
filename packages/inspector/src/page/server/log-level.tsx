import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** From which level on the server tells what it logs. */
export function LogLevel({ connection }: { connection: Connection }) {
  const asking = useAsking();
  return (
    <>
      <dt>
        <label for="log-level">Log level</label>
      </dt>
      <dd>
        <select
          id="log-level"
          class="input"
          disabled={asking.busy || connection.status.is !== 'connected'}
          value={connection.terms.logLevel ?? ''}
          onChange={(event) => {
            const level = event.currentTarget.value;
            if (level !== '') asking.run(() => ask('set-log-level', { connection: connection.id, level }));
          }}
        >
          <option value="">as the server has it</option>
          {levels.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
        <ProblemBox error={asking.error} />
      </dd>
    </>
  );
}
