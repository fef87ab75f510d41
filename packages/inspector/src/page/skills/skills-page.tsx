import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { ListedSkill, ReadSkill, SkillsOfServer } from '../../shared/skills.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo, place } from '../model/route.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { size } from '../components/format.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { Markdown } from '../result/markdown.tsx';
import { textOf } from '../form/json.ts';

/** The skills of a server: what they say, their files, and whether those are what the list tells. */
export function SkillsPage({ connection }: { connection: Connection }) {
  const asking = useAsking();
  const [asked, setAsked] = useState<SkillsOfServer | undefined>();
  const recorded = useWorld('work').skills.get(connection.id);
  const found = openedRecording.value === undefined ? asked : recorded;
  useEffect(() => {
    if (openedRecording.value === undefined)
      asking.run(async () => setAsked(await ask('skills', { connection: connection.id })));
  }, [connection.id]);
  const chosen = found?.skills.find(({ uri }) => uri === place.value.name);
  return (
    <div class="page">
      <header>
        <h1>Skills</h1>
        <span class="dim">of {shownName(connection)}</span>
      </header>
      <ProblemBox error={asking.error} />
      {found === undefined && asking.error === undefined ? <p class="dim">Asking for the skills …</p> : null}
      {found?.skills.length === 0 ? <p class="dim">The server lists no skills.</p> : null}
      <ul class="library">
        {found?.skills.map(({ uri, frontmatter, files }) => (
          <li key={uri} class="line">
            <button
              type="button"
              class="skill-row grow"
              aria-expanded={uri === chosen?.uri}
              onClick={() =>
                goTo({ server: connection.label, section: 'skills', name: uri === chosen?.uri ? undefined : uri })
              }
            >
              <strong>{textOf(frontmatter.name)}</strong> <span class="dim">{textOf(frontmatter.description)}</span>
            </button>
            <span class="dim small">{files === undefined ? 'made when read' : `${files.length} files`}</span>
          </li>
        ))}
        {found?.refused.map(({ uri, says }) => (
          <li key={uri} class="line bad">
            ✕ <code>{uri}</code> {says}
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : <SkillView key={chosen.uri} connection={connection} skill={chosen} />}
    </div>
  );
}

function SkillView({ connection, skill }: { connection: Connection; skill: ListedSkill }) {
  const asking = useAsking();
  const [asked, setAsked] = useState<ReadSkill | undefined>();
  const recorded = useWorld('work').readSkills.get(`${connection.id}/${skill.uri}`);
  const read = openedRecording.value === undefined ? asked : recorded;
  useEffect(() => {
    if (openedRecording.value === undefined)
      asking.run(async () => setAsked(await ask('skill', { connection: connection.id, uri: skill.uri })));
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
                <button
                  type="button"
                  class="link mono grow cut"
                  onClick={() => goTo({ server: connection.label, section: 'resources', name: file.uri })}
                >
                  {file.uri}
                </button>
                {'bytes' in file ? (
                  <span class="dim small" title={file.digest}>
                    {size(file.bytes)} · <span class="mono">{file.digest.slice(0, 19)}…</span>
                  </span>
                ) : null}
                {verdict?.problem === undefined ? null : <p class="bad small">{verdict.problem}</p>}
              </li>
            );
          })}
        </ul>
      </section>
      <ProblemBox error={asking.error} />
      <section class="block" aria-label="SKILL.md">
        <h2>SKILL.md</h2>
        {Object.keys(more).length === 0 ? null : <JsonTree value={more as Json} depth={2} name="head" />}
        {read === undefined ? (
          <p class="dim">
            {openedRecording.value === undefined ? 'Reading …' : 'It was not read before the recording ended.'}
          </p>
        ) : read.instructions === undefined ? (
          <p class="bad">Its instructions are not what the list tells, so they must not be used.</p>
        ) : (
          <Markdown text={read.instructions} />
        )}
      </section>
    </>
  );
}
