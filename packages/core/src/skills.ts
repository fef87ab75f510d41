/// <reference types="node" preserve="true" />

export type { LoadedSkill } from './extensions/skills/client/loaded-skill.ts';
export { SkillError, type SkillProblem } from './extensions/skills/client/skill-error.ts';
export {
  type FileVerdict,
  type RemoteSkills,
  type SkillList,
  skillsClient,
  skillsOf,
} from './extensions/skills/client/skills-of.ts';
export type { SkillHead } from './extensions/skills/skill-collection.ts';
export type { SkillFiles } from './extensions/skills/skill-files.ts';
export type { Frontmatter, Skill, SkillFile } from './extensions/skills/skill.ts';
export { type ServedSkills, type SkillsOptions, skills } from './extensions/skills/skills.ts';
