import { type RequestSetting, requestSettings, type SettingScope } from '@vid/protocol'
import { flagName } from '../options/spelling.ts'

const settingFlags = (...scopes: readonly SettingScope[]): readonly string[] =>
  Object.entries<RequestSetting>(requestSettings)
    .filter(([, { scope }]) => scopes.includes(scope))
    .map(([name]) => flagName(name))

/** What the flags of a command are about, in the order in which --help shows them; those of no group come last. */
export const optionGroups: Readonly<Record<string, readonly string[]>> = {
  'what is rendered': [...settingFlags('source'), 'variables-file'],
  'the result': [
    ...settingFlags('picture', 'sound', 'file', 'place'),
    'shape',
    'width',
    'height',
    'output-key',
    'aspect-ratio',
  ],
  'many at once': [
    'batch',
    'batch-columns',
    'rows',
    'only-failed',
    'batch-concurrency',
    'batch-fail-fast',
    'batch-retries',
    'max-concurrent-renders',
  ],
  'how and where': [...settingFlags('machine'), 'preset', 'target', 'docker', 'cache', 'fresh'],
}

/** Flags up to which a command's are shown as one list. */
const MAX_UNGROUPED = 12

/** Flags by what they are about; one group without a title for a few. */
export const groupOptions = <T extends { readonly name: string }>(
  flags: readonly T[],
): readonly { readonly title: string; readonly flags: readonly T[] }[] => {
  if (flags.length <= MAX_UNGROUPED) return [{ title: 'flags', flags }]
  const grouped = Object.entries(optionGroups).map(([title, names]) => ({
    title,
    flags: flags.filter(({ name }) => names.includes(name)),
  }))
  const rest = flags.filter((flag) => !grouped.some((group) => group.flags.includes(flag)))
  return [...grouped, { title: 'other flags', flags: rest }].filter((group) => group.flags.length > 0)
}
