import { requestSettings } from '@vid/protocol'
import { type FormatFacts, type Option, ruleOf } from '../options/option.ts'

/** The formats that an option applies to, where it does not apply to all. */
const scopeOf = ({ setting }: Option, facts: FormatFacts | undefined): string => {
  if (!facts || setting === undefined) return ''
  const formats = facts.formatsOf(setting, requestSettings[setting])
  return formats.length < facts.formats.length ? ` [${formats.join(', ')}]` : ''
}

/** The line about an option in --help. */
export const describeOption = (option: Option, facts?: FormatFacts): string => {
  const rule =
    option.setting === 'format' && option.kind === 'text' && facts ? facts.formats.join(', ') : ruleOf(option)
  return [option.about, rule && `: ${rule}`, option.default && ` (default ${option.default})`, scopeOf(option, facts)]
    .filter(Boolean)
    .join('')
}
