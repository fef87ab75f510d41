import { skills } from '@ccmcp/core/skills';

/** One skill with a reference. */
export const everySkill = skills({
  'test-a-client/SKILL.md': `---
name: test-a-client
description: Test an MCP client with the server "everything". Use when a client is to be checked.
license: MIT
metadata:
  version: "1.0"
---
# Test a client

Call each tool of [the list](references/TOOLS.md) and compare what the client shows.
`,
  'test-a-client/references/TOOLS.md': `# Tools to begin with

- text, image, audio
- work, with progress
- ask_form
`,
});
