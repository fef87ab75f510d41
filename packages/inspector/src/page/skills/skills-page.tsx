import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { type Json, stringOrEmpty } from '../../shared/json.ts';
import type { ListedSkill, ReadSkill, SkillList } from '../../shared/lists.ts';
import { Button } from '../components/controls.tsx';
import { formatBytes } from '../components/format.ts';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { Markdown } from '../content/markdown.tsx';
import { request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { navigate, openedRecording, route } from '../model/route.ts';
import { useAppState } from '../model/store.ts';

/** Skills of a server: instructions, files, and whether the files match the listed digests. */
export function SkillsPage({ connection }: { connection: Connection }) {
  const pending = useRequest();
  const [asked, setAsked] = useState<SkillList | undefined>();
  const recorded = useAppState('work').skills.get(connection.id);
  const found = openedRecording.value === undefined ? asked : recorded;
  useEffect(() => {
    if (openedRecording.value === undefined)
      pending.run(async () => setAsked(await request('skills', { connection: connection.id })));
  }, [connection.id]);
  const chosen = found?.skills.find(({ uri }) => uri === route.value.name);
  return (
    <div class="page">
      <header>
        <h1>Skills</h1>
        <span class="dim">of {displayName(connection)}</span>
      </header>
      <ProblemBox error={pending.error} />
      {found === undefined && pending.error === undefined ? <p class="dim">Loading the skills …</p> : null}
      {found?.skills.length === 0 ? <p class="dim">The server lists no skills.</p> : null}
      <ul class="library">
        {found?.skills.map(({ uri, frontmatter, files }) => (
          <li key={uri} class="line">
            <button
              type="button"
              class="skill-row grow"
              aria-expanded={uri === chosen?.uri}
              onClick={() =>
                navigate({ server: connection.label, section: 'skills', name: uri === chosen?.uri ? undefined : uri })
              }
            >
              <strong>{stringOrEmpty(frontmatter.name)}</strong>{' '}
              <span class="dim">{stringOrEmpty(frontmatter.description)}</span>
            </button>
            <span class="dim small">{files === undefined ? 'generated on read' : `${files.length} files`}</span>
          </li>
        ))}
        {found?.rejected.map(({ uri, message }) => (
          <li key={uri} class="line bad">
            ✕ <code>{uri}</code> {message}
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : <SkillView key={chosen.uri} connection={connection} skill={chosen} />}
    </div>
  );
}

function SkillView({ connection, skill }: { connection: Connection; skill: ListedSkill }) {
  const pending = useRequest();
  const [asked, setAsked] = useState<ReadSkill | undefined>();
  const recorded = useAppState('work').readSkills.get(`${connection.id}/${skill.uri}`);
  const read = openedRecording.value === undefined ? asked : recorded;
  useEffect(() => {
    if (openedRecording.value === undefined)
      pending.run(async () => setAsked(await request('skill', { connection: connection.id, uri: skill.uri })));
  }, []);
  const { name: _name, description: _description, ...more } = skill.frontmatter;
  return (
    <>
      <section class="block" aria-label="Files">
        <h2>Files</h2>
        <ul class="library">
          {(skill.files ?? read?.files ?? []).map((file) => {
            const verdict = read?.files.find(({ uri }) => uri === file.uri);
            return (
              <li key={file.uri} class="line">
                <span class={verdict === undefined ? 'dim' : verdict.problem === undefined ? 'ok' : 'bad'}>
                  {verdict === undefined ? '◌ not read yet' : verdict.problem === undefined ? '✓ as listed' : '✕ wrong'}
                </span>
                <Button
                  class="link mono grow truncate"
                  onClick={() => navigate({ server: connection.label, section: 'resources', name: file.uri })}
                >
                  {file.uri}
                </Button>
                {'bytes' in file ? (
                  <span class="dim small" title={file.digest}>
                    {formatBytes(file.bytes)} · <span class="mono">{file.digest.slice(0, 19)}…</span>
                  </span>
                ) : null}
                {verdict?.problem === undefined ? null : <p class="bad small">{verdict.problem}</p>}
              </li>
            );
          })}
        </ul>
      </section>
      <ProblemBox error={pending.error} />
      <section class="block" aria-label="SKILL.md">
        <h2>SKILL.md</h2>
        {Object.keys(more).length === 0 ? null : <JsonTree value={more as Json} depth={2} name="head" />}
        {read === undefined ? (
          <p class="dim">{openedRecording.value === undefined ? 'Reading …' : 'It is not in the recording.'}</p>
        ) : read.instructions === undefined ? (
          <p class="bad">Its instructions do not match the listed digest, so they must not be used.</p>
        ) : (
          <Markdown text={read.instructions} />
        )}
      </section>
    </>
  );
}
