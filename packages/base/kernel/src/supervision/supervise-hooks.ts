import { setImmediate as nextTurn } from 'node:timers/promises'
import { didYouMean, failRender, isVidError } from '@vid/protocol'
import type { EncodeJob, FullTap, KernelHooks, SegmentTask, Tap } from '../contracts/hooks.ts'
import { checkTapAnswer } from './answers.ts'
import type { Watch } from './watch.ts'

const checkedAnswer = async (plugin: string, hook: keyof KernelHooks, args: readonly unknown[], value: unknown) => {
  // Several plans of thousands of variables take too long to check in one turn of the event loop.
  if (hook === 'plan' && value !== undefined) await nextTurn()
  checkTapAnswer(plugin, hook, args, value)
  return value ?? undefined
}

/** Wraps every tap once, on registration: errors, timings and order are handled alike for all plugins and hooks. */
export const superviseHooks = (hooks: KernelHooks, watch: Watch) => {
  const taps: Tap[] = []
  let owner: string | undefined
  const refuse = (plugin: string, hook: string, problem: string) =>
    failRender('VID_TAP_REFUSED', { plugin, hook, problem }, { plugin, hook })
  /** The last thing that a setup looked for and that is no hook: it may do so to support several versions. */
  let missing: string | undefined
  const offered = new Proxy(hooks, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target)) missing = name
      return Reflect.get(target, name, receiver)
    },
  })
  const register = (hook: keyof KernelHooks) => (tap: FullTap) => {
    const plugin = owner ?? tap.name
    if (owner === undefined) throw refuse(plugin, hook, 'the render has started')
    if (tap.before !== undefined) throw refuse(plugin, hook, `before: "${tap.before}" is not supported`)
    if (tap.type === 'async') throw refuse(plugin, hook, 'use tap or tapPromise')
    taps.push({ hook, plugin, stage: tap.stage ?? 0 })
    const fn = tap.fn as (...args: unknown[]) => unknown
    if (hook === 'progress')
      return { ...tap, name: plugin, fn: (event: unknown) => watch.runSync(plugin, hook, () => fn(event)) }
    // A null answer means "no answer", as undefined does.
    const guarded = (...args: unknown[]) => {
      const isStoppable = hook === 'encode' || hook === 'segment'
      const signal = isStoppable ? (args[0] as EncodeJob | SegmentTask).signal : undefined
      return watch
        .run(plugin, hook, () => fn(...args), signal)
        .then((value) => checkedAnswer(plugin, hook, args, value))
    }
    return { ...tap, name: plugin, type: 'promise' as const, fn: guarded }
  }
  for (const name of Object.keys(hooks) as (keyof KernelHooks)[])
    hooks[name].intercept({ register: register(name) as never })
  return {
    /** The hooks for a setup. */
    offered,
    taps: () => taps.toSorted((a, b) => a.stage - b.stage),
    as(plugin: string, setup: () => unknown) {
      owner = plugin
      missing = undefined
      try {
        const later = watch.runSync(plugin, 'setup', setup)
        if (!(later instanceof Promise)) return
        later.catch(() => {})
        throw refuse(plugin, 'setup', 'setup is asynchronous')
      } catch (thrown) {
        if (missing === undefined || !isVidError(thrown) || !(thrown.cause instanceof TypeError)) throw thrown
        const names = Object.keys(hooks)
        throw refuse(plugin, missing, `${didYouMean(missing, names)}known hooks: ${names.join(', ')}`)
      } finally {
        owner = undefined
      }
    },
  }
}

/** The value of a hook that some plugin must answer. */
export const ask = async <T>(hook: string, subject: string, answer: Promise<T | undefined>): Promise<T> => {
  const value = await answer
  if (value === undefined) throw failRender('VID_HOOK_UNANSWERED', { hook, wanted: subject })
  return value
}
