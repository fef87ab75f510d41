import { limits } from '../../limits.ts';
import type { Operation } from '../../server/call/operation.ts';
import { type StoredSkill, type SkillCollection, filterVisible } from './skill-collection.ts';

const maxVariants = limits.server.listVariants.value;

/** The current skills, and which of them each caller may see. */
export class SkillVisibility {
  #collection: SkillCollection;
  /** The distinct scope requirements. */
  #requiredScopes: readonly StoredSkill['scopes'][] = [];
  /** Filtered collections by missing requirements. There are few at a time. */
  readonly #variants = new Map<string, SkillCollection>();

  constructor(collection: SkillCollection) {
    this.#collection = collection;
    this.collection = collection;
  }

  /** All of them. */
  get collection(): SkillCollection {
    return this.#collection;
  }

  set collection(collection: SkillCollection) {
    this.#collection = collection;
    const demands = new Map<string, StoredSkill['scopes']>();
    for (const { scopes } of collection.skills) {
      if (scopes !== undefined) demands.set(scopes.join(' '), scopes);
    }
    this.#requiredScopes = [...demands.values()];
    this.#variants.clear();
  }

  /** The skills that a caller may see. The response is private to the caller. */
  visibleTo({ has, keepPrivate }: Pick<Operation, 'has' | 'keepPrivate'>): SkillCollection {
    if (this.#requiredScopes.length === 0) return this.#collection;
    keepPrivate();
    const lacking = this.#requiredScopes.flatMap((scopes, index) => (has(scopes) ? [] : [index])).join(' ');
    if (lacking === '') return this.#collection;
    const known = this.#variants.get(lacking) ?? filterVisible(this.#collection, has);
    // Evicts the oldest.
    if (!this.#variants.has(lacking) && this.#variants.size >= maxVariants) {
      this.#variants.delete(this.#variants.keys().next().value as string);
    }
    this.#variants.set(lacking, known);
    return known;
  }
}
