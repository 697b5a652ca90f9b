import { requestSettings } from '@vid/kernel'
import { type Flag, type FormatFacts, ruleOf } from './flag.ts'

/** The formats that a flag applies to, where it does not apply to all. */
const scopeOf = ({ setting }: Flag, facts: FormatFacts | undefined): string => {
  if (!facts || setting === undefined) return ''
  const formats = facts.formatsOf(setting, requestSettings[setting])
  return formats.length < facts.formats.length ? ` [${formats.join(', ')}]` : ''
}

/** The line about a flag in --help. */
export const describeFlag = (flag: Flag, facts?: FormatFacts): string => {
  const rule = flag.setting === 'format' && facts ? facts.formats.join(', ') : ruleOf(flag)
  return [flag.about, rule && `: ${rule}`, flag.default && ` (default ${flag.default})`, scopeOf(flag, facts)]
    .filter(Boolean)
    .join('')
}
