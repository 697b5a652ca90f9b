import { type ConsoleMessage, withoutCredentials } from '@vid/protocol'

/** Different messages of one render that are reported. */
const MAX_MESSAGES = 100

/** The console messages of the pages of one render. */
export interface ConsoleLog {
  log(message: ConsoleMessage): void
  /** Each message once, in the order in which it was first written; later calls return only what is new. */
  take(): ConsoleMessage[]
}

/** Creates the log of a render: workers load the same page, so a message counts as often as one page wrote it. */
export const createConsoleLog = (): ConsoleLog => {
  const messages = new Map<string, ConsoleMessage>()
  const keys = new Set<string>()
  return {
    log({ level, text, count }) {
      const shown = withoutCredentials(text)
      const key = `${level} ${shown}`
      const before = messages.get(key)
      if (before === undefined && messages.size >= MAX_MESSAGES) return
      messages.set(key, { level, text: shown, count: Math.max(count, before?.count ?? 1) })
    },
    take() {
      const fresh = [...messages].filter(([key]) => !keys.has(key))
      for (const [key] of fresh) keys.add(key)
      return fresh.map(([, message]) => message)
    },
  }
}
