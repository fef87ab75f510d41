import { ErrorCode, ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { ExtensionMethod } from '../../../../server/extension.ts';
import type { SkillsByCaller } from '../../skill-visibility.ts';
import type { Manifests } from '../../manifest-cache.ts';

/** Serves `skills/get`. */
export function getSkill(served: SkillsByCaller, manifests: Manifests): ExtensionMethod {
  return {
    caches: true,
    servesEveryone: true,
    async serve(operation) {
      const { uri } = operation.params;
      if (typeof uri !== 'string') {
        throw new ProtocolError(ErrorCode.InvalidParams, '"uri" must be a string: the address of a SKILL.md');
      }
      const skill = served.seenBy(operation).skills.find((each) => each.uri === uri);
      if (skill === undefined) {
        throw new ProtocolError(ErrorCode.InvalidParams, `There is no skill at ${JSON.stringify(uri.slice(0, 200))}`);
      }
      return { skill: await manifests.of(skill) };
    },
  };
}
