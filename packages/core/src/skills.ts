/// <reference types="node" preserve="true" />

export type { LoadedSkill } from './features/skills/client/loaded-skill.ts';
export { SkillError, type SkillProblem } from './features/skills/client/parse-skill.ts';
export {
  type FileVerdict,
  type RemoteSkills,
  type SkillList,
  skillsClient,
  skillsOf,
} from './features/skills/client/skills-of.ts';
export { joinSkills } from './features/skills/join-skills.ts';
export type { SkillHead } from './features/skills/skill-collection.ts';
export type { SkillFiles } from './features/skills/skill-files.ts';
export type { Frontmatter, Skill, SkillFile } from './features/skills/skill.ts';
export { type ServedSkills, type SkillsOptions, skills } from './features/skills/skills.ts';
