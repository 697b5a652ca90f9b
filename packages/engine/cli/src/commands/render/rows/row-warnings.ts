import type { Warning } from '@vid/protocol'

/** Warnings of one code that are shown one by one. */
const MAX_SHOWN = 2

/** Rows that a line names. */
const MAX_NAMED = 8

const listOf = (labels: readonly string[]): string => {
  const named = labels.slice(0, MAX_NAMED)
  if (labels.length > MAX_NAMED) named.push(`${labels.length - MAX_NAMED} more`)
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`
}

/** Shows warnings of rows, of each code only the first ones and each message once; counts the rest. */
export const createRowWarnings = (show: (warning: Warning) => void) => {
  const kinds = new Map<string, { readonly messages: Set<string>; readonly rest: Set<string> }>()
  return {
    /** Takes a warning whose message names its row, and what it says without it. */
    take(warning: Warning, label: string, message: string): void {
      const kind = kinds.get(warning.code) ?? { messages: new Set(), rest: new Set() }
      kinds.set(warning.code, kind)
      if (kind.messages.has(message) || kind.messages.size === MAX_SHOWN) {
        kind.rest.add(label)
        return
      }
      kind.messages.add(message)
      show(warning)
    },
    /** Shows, once for each code, which rows have it too. */
    end(): void {
      for (const [code, { rest }] of kinds)
        if (rest.size > 0) show({ code, message: `The same in ${listOf([...rest])}; --json shows each one.` })
    },
  }
}
