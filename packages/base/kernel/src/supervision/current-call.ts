import { AsyncLocalStorage } from 'node:async_hooks'

interface Call {
  readonly plugin: string
  readonly hook: string
}

/** Follows each call into its timers, its listeners and the promises that nobody awaits. */
const calls = new AsyncLocalStorage<Call>()

/** Runs plugin code, and all that it leaves behind, under its name. */
export const inCall = <T>(plugin: string, hook: string, work: () => T): T => calls.run({ plugin, hook }, work)

/** Runs what observes a render, which is not code of the plugin that caused an event. */
export const outsideCalls = <T>(work: () => T): T => calls.exit(work)

/** The plugin and the hook whose code this process runs now; undefined where it runs that of none. */
export const currentCall = (): Call | undefined => calls.getStore()
