import type { Warning } from '@vid/protocol'
import type { PluginWarning } from '../../contracts/roles.ts'

/** Problems of one group that the error of a strict render names, before it counts the rest. */
const MAX_NAMED = 10

/** Warnings that have their cause in common, of which only the first is reported at once. */
export interface WarningGroups {
  /** Adds a warning; `first` and `named` say whether it is one to report at once, and one to name in an error. */
  add(warning: PluginWarning): { readonly first: boolean; readonly named: boolean }
  /** One warning for each group that has grown since the last call, with the number of its further members. */
  take(): Warning[]
  /** One warning for each group with more members than an error names. */
  unnamed(): Warning[]
}

interface Group {
  readonly first: Warning
  readonly words: string
  readonly messages: Set<string>
  reported: number
}

const rest = ({ first, words }: Group, count: number): Warning => ({
  ...first,
  message: `${words}: ${count} more`,
})

/** Creates the groups of one render; a warning without a group is always a first one. */
export const createWarningGroups = (): WarningGroups => {
  const groups = new Map<string, Group>()
  return {
    add({ group: words, ...warning }) {
      if (words === undefined) return { first: true, named: true }
      const key = `${warning.code}\n${words}`
      const group = groups.get(key) ?? { first: warning, words, messages: new Set<string>(), reported: 1 }
      groups.set(key, group)
      group.messages.add(warning.message)
      const { size } = group.messages
      return { first: size === 1, named: size <= MAX_NAMED }
    },
    take() {
      const grown = [...groups.values()].filter(({ messages, reported }) => messages.size > reported)
      return grown.map((group) => {
        const count = group.messages.size - group.reported
        group.reported = group.messages.size
        return rest(group, count)
      })
    },
    unnamed: () =>
      [...groups.values()]
        .filter(({ messages }) => messages.size > MAX_NAMED)
        .map((group) => rest(group, group.messages.size - MAX_NAMED)),
  }
}
