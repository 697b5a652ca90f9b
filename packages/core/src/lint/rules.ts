import type { LintRule } from './rule.ts'
import { letterRules } from './rules-letters.ts'
import { mediaRules } from './rules-media.ts'
import { nestedRules } from './rules-nested.ts'
import { rootRules } from './rules-root.ts'
import { scriptRules } from './rules-scripts.ts'
import { styleRules } from './rules-styles.ts'
import { timingRules } from './rules-timing.ts'
import { variableRules } from './rules-variables.ts'

/** Every rule; checks, pages and tests are made from this table. */
export const lintRules: readonly LintRule[] = [
  ...rootRules,
  ...variableRules,
  ...nestedRules,
  ...timingRules,
  ...mediaRules,
  ...scriptRules,
  ...styleRules,
  ...letterRules,
]
