import type { LintRule } from '../rule.ts'
import { attributeRules } from './attributes.ts'
import { chapterRules } from './chapters.ts'
import { characterRules } from './characters.ts'
import { fontRules } from './fonts.ts'
import { mediaRules } from './media.ts'
import { mediaTimingRules } from './media-timing.ts'
import { moduleRules } from './modules.ts'
import { motionRules } from './motion.ts'
import { nestedRules } from './nested.ts'
import { rootRules } from './root.ts'
import { scriptRules } from './scripts.ts'
import { scrollingRules } from './scrolling.ts'
import { soundRules } from './sound.ts'
import { styleRules } from './styles.ts'
import { timingRules } from './timing.ts'
import { variableRules } from './variables.ts'

/** Every rule; checks, documentation pages and tests are generated from this table. */
export const lintRules: readonly LintRule[] = [
  ...rootRules,
  ...variableRules,
  ...nestedRules,
  ...timingRules,
  ...chapterRules,
  ...mediaRules,
  ...mediaTimingRules,
  ...soundRules,
  ...scriptRules,
  ...moduleRules,
  ...motionRules,
  ...scrollingRules,
  ...attributeRules,
  ...styleRules,
  ...fontRules,
  ...characterRules,
]
