import type { SkillFiles } from '@ccmcp/core/skills';

/** How to take minutes with this server, for a model to read. */
export const meetingMinutes: SkillFiles = {
  'meeting-minutes/SKILL.md': `---
name: meeting-minutes
description: Turn a meeting into notes that can be found again. Use when somebody shares a transcript, asks for minutes, or wants to know what was decided in earlier meetings.
metadata:
  version: "1.0"
---
# Meeting minutes

One note for each meeting, and one for each person's open tasks.

## Before you write

1. \`search_notes\` with the name of the meeting or its people. Read what was decided last time with \`get_note\`.
2. If there is a note of this meeting already, change it with \`update_note\` and give \`expected_updated_at\`: somebody may have
   changed it since you read it.

## The note of a meeting

\`create_note\` with

- title: \`YYYY-MM-DD Name of the meeting\`, so that notes sort by day
- tags: \`meeting\`, and one for the project
- content: as in [the template](references/TEMPLATE.md)

Write what was decided and why, not who said what when. Names and numbers exactly as they were said; what was unclear goes under
"Open". Leave out what is not there: no section stays empty.

## Tasks

Each task has one person, a verb and a day. Keep those of a person in one note, \`Tasks of NAME\`, tagged \`tasks\`: search for it first,
add what is new, and mark what is done instead of deleting it. Name the meeting that a task comes from.

## Afterwards

Say in one sentence what you wrote and where (\`note_7\`), and read back the decisions: it is the last chance to correct them.
`,
  'meeting-minutes/references/TEMPLATE.md': `# Template

\`\`\`
Who: Anna, Bob (left early)

Decided
- The release moves to 14 May, because the import is not ready.

Tasks
- Bob: finish the import, until 9 May

Open
- Who tells the customers?
\`\`\`
`,
};
