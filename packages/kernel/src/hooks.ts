import type { KernelHooks, Tap } from '@vid/protocol'
import { fail } from './kernel-errors.ts'
import type { Watch } from './watch.ts'

type Work = (...args: unknown[]) => unknown
interface TapRecord {
  name: string
  type: string
  stage?: number
  before?: string | string[]
  fn: Work
}

/** Wraps every tap once, on registration: blame, time and order hold for all plugins and all hooks. */
export const superviseHooks = (hooks: KernelHooks, watch: Watch) => {
  const taps: Tap[] = []
  let owner: string | undefined
  const register = (hook: string) => (tap: TapRecord) => {
    const plugin = owner ?? tap.name
    const refuse = (problem: string) => fail('VID_TAP_REFUSED', { plugin, hook, problem }, { plugin, hook })
    if (owner === undefined) throw refuse('the render has started')
    if (tap.before !== undefined) throw refuse(`before: "${String(tap.before)}" is not supported`)
    taps.push({ hook, plugin, stage: tap.stage ?? 0 })
    const { fn } = tap
    // A null answer means "no answer", as undefined does.
    const guarded = (...args: unknown[]) =>
      watch.run(plugin, hook, () => fn(...args)).then((value) => value ?? undefined)
    if (tap.type === 'promise') return { ...tap, name: plugin, fn: guarded }
    if (tap.type === 'sync' && hook === 'progress')
      return {
        ...tap,
        name: plugin,
        fn: (...args: unknown[]) => watch.runSync(plugin, hook, () => fn(...args)),
      }
    if (tap.type === 'sync') return { ...tap, name: plugin, type: 'promise', fn: guarded }
    throw refuse('use tap or tapPromise')
  }
  for (const [name, hook] of Object.entries(hooks))
    hook.intercept({ name: 'kernel', register: register(name) as never })
  return {
    /** Taps in the order in which they run. */
    taps: () => taps.toSorted((a, b) => a.stage - b.stage),
    /** Runs `setup` so that its taps belong to `plugin`. */
    as(plugin: string, setup: () => void) {
      owner = plugin
      try {
        watch.runSync(plugin, 'setup', setup)
      } finally {
        owner = undefined
      }
    },
  }
}
