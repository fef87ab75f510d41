/** Keys, each with what it does. */
export function KeyRows({ keys }: { keys: readonly (readonly [key: string, what: string])[] }) {
  return keys.map(([key, what]) => (
    <div key={key}>
      <dt>
        <kbd>{key}</kbd>
      </dt>
      <dd>{what}</dd>
    </div>
  ));
}
