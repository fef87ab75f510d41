import { annotationContradiction, annotationDestructive, annotationReadOnly } from './annotation-rules.ts';
import { descriptionDuplicate, descriptionLate, descriptionMissing, descriptionVague } from './description-rules.ts';
import type { Rule } from './finding.ts';
import { nameCharacters, nameDuplicate, nameLength, namePortable, nameSimilar } from './name-rules.ts';
import {
  argumentUndescribed,
  requiredUnknown,
  schemaDanglingReference,
  schemaExternalReference,
  schemaKeyword,
  schemaOldDraft,
  schemaRecursive,
  schemaRoot,
  schemaRootChoice,
} from './schema-rules.ts';
import { searchClose, searchMisses } from './search-rules.ts';
import { listSize, toolSize } from './size-rules.ts';
import { hiddenCharacters, suspiciousText } from './text-rules.ts';

/** The rules of `ccmcp check`, in the order of its output. */
export const rules: readonly Rule[] = [
  nameCharacters,
  nameDuplicate,
  nameSimilar,
  nameLength,
  namePortable,
  descriptionMissing,
  descriptionVague,
  descriptionDuplicate,
  descriptionLate,
  searchMisses,
  searchClose,
  schemaRoot,
  schemaRootChoice,
  schemaExternalReference,
  schemaDanglingReference,
  schemaRecursive,
  schemaOldDraft,
  schemaKeyword,
  requiredUnknown,
  argumentUndescribed,
  annotationReadOnly,
  annotationDestructive,
  annotationContradiction,
  toolSize,
  listSize,
  hiddenCharacters,
  suspiciousText,
];
