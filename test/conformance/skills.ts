import { skills } from '@ccmcp/core/skills';

/** A nested skill, as the official suite expects one. */
export const fixtureSkills = skills({
  'pdf-forms/SKILL.md': `---
name: pdf-forms
description: Fill in PDF forms. Use when somebody has a form and the data for it.
license: MIT
metadata:
  version: "1.0"
---
# PDF forms

Read [the names of fields](references/FIELDS.md) first, then fill them in.
`,
  'pdf-forms/references/FIELDS.md': '# Names of fields\n\n- name\n- date\n',
  'release-notes/SKILL.md': `---
name: release-notes
description: Write release notes from a list of changes. Use before a release.
---
Group changes by what they mean for users.
`,
});
