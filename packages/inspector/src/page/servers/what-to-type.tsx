const kinds = [
  ['https://example.com/mcp', 'an address'],
  ['npx some-server --flag', 'a command; you see it in full before it is started'],
  ['./server.ts', 'a file of yours'],
  ['cursor:NAME', 'a server that a client has configured'],
] as const;

/** Says what can be typed where a server is named. */
export function WhatToType() {
  return (
    <dl class="what-to-type dim" id="what-to-type">
      {kinds.map(([example, what]) => (
        <div key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
