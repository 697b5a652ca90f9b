import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { effectiveOptions, failRender, type Warning, withoutCredentials } from '@vid/protocol'
import { scratchName, wholeMachine } from '@vid/system'
import { createHooks, type KernelHooks } from '../contracts/hooks.ts'
import type { KernelSetup, OpenRender, RunOptions } from '../contracts/kernel-types.ts'
import { createFrameSamples } from '../frames/frame-samples.ts'
import type { CodeIdentity } from '../plugin-identity/identity.ts'
import { createPool } from '../pool/pool.ts'
import { outsideCalls } from '../supervision/current-call.ts'
import { superviseHooks } from '../supervision/supervise-hooks.ts'
import { createWaiting } from '../supervision/waiting.ts'
import { createWatch } from '../supervision/watch.ts'
import { createConsoleLog } from './console-log.ts'
import { progressOf } from './progress.ts'
import { createSources } from './sources.ts'
import { createWarningGroups } from './warning-groups.ts'

/** Begins the names of the scratch folders of renders. */
export const WORK_PREFIX = 'vid-work-'

/** What the contexts of plugins have of the options of a render. */
const inheritedBy = ({ reading, picturesOnly }: RunOptions) => ({
  reading,
  ...(picturesOnly && { picturesOnly: true as const }),
})

const sharedBy = ({ reading, sounds }: RunOptions) => ({ reading, sounds })

/** State that all steps of one render share. */
export type Scope = ReturnType<typeof createScope>

export const createScope = (setup: KernelSetup, codeOf: CodeIdentity, options: RunOptions) => {
  const { projectDir, reading, signal: outer, onEvent, renderId = randomUUID(), storeDir = projectDir } = options
  const { machine = wholeMachine() } = options
  const shared = options.shared ?? createPool()
  const stop = new AbortController()
  const signal: AbortSignal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal
  // Each call of a plugin that is under way listens, and a store is read many times at once.
  setMaxListeners(0, signal)
  const workDir = resolve(tmpdir(), scratchName(WORK_PREFIX))
  const hooks: KernelHooks = createHooks()
  const waiting = createWaiting(signal, (wait) => tellObservers({ type: 'render-waiting', ...wait }))
  const watch = createWatch(signal, waiting.touch)
  const sources = createSources(hooks, { projectDir, signal, reading })
  const warnings: Warning[] = []
  const warned = new Set<string>()
  const notes: string[] = []
  const note = (reason: string) => {
    if (!notes.includes(reason)) notes.push(reason)
  }
  const tellObservers: OpenRender['emit'] = (event) => {
    const { type, ...facts } = event
    const identified = { type, renderId, ...facts } as Parameters<NonNullable<typeof onEvent>>[0]
    outsideCalls(() => onEvent?.(identified))
    hooks.progress.call(identified)
  }
  const emit: OpenRender['emit'] = (event) => {
    waiting.touch()
    tellObservers(event)
  }
  const report: OpenRender['report'] = (stage, framesRendered, totalFrames) =>
    emit(progressOf(stage, framesRendered, totalFrames))
  const problems: Warning[] = []
  const groups = createWarningGroups()
  const refusal: OpenRender['refusal'] = () =>
    problems.length > 0 ? failRender('VID_RENDER_STRICT', { problems: [...problems, ...groups.unnamed()] }) : undefined
  let isGathering = false
  const refuse = (problem: Warning) => {
    problems.push(problem)
    // What is reported at once becomes one error.
    if (!isGathering) queueMicrotask(() => stop.abort(refusal()))
  }
  /** Does some work to its end before its problems end a strict render, so that the error names them all. */
  const gatherProblems = async <T>(work: Promise<T>): Promise<T> => {
    isGathering = true
    const [outcome] = await Promise.allSettled([work])
    isGathering = false
    const refused = refusal()
    if (refused) throw refused
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
  const tell = (warning: Warning) => {
    warnings.push(warning)
    emit({ type: 'warning', warning })
  }
  const warn: OpenRender['warn'] = (input) => {
    const { message, hint } = input
    const warning = {
      ...input,
      message: withoutCredentials(message),
      ...(hint !== undefined && { hint: withoutCredentials(hint) }),
    }
    const words = `${warning.code}\n${warning.message}`
    if (warned.has(words)) return
    warned.add(words)
    const { first, named } = groups.add(warning)
    const { group: _, transient: __, ...shown } = warning
    if (first) tell(shown)
    if (named && options.strict && shown.severity === 'error') refuse(shown)
  }
  const reportGroups: OpenRender['reportGroups'] = () => {
    for (const warning of groups.take()) tell(warning)
  }
  const consoleLog = createConsoleLog()
  const reportConsole: OpenRender['reportConsole'] = () => {
    for (const message of consoleLog.take()) emit({ type: 'console', ...message })
  }
  const context: OpenRender['context'] = (plugin, callSignal = signal, planned = plugin.options) => ({
    signal: callSignal,
    projectDir,
    workDir,
    sources,
    shared,
    ...inheritedBy(options),
    options: effectiveOptions(plugin.optionsSchema, planned, plugin.options),
    warn: (warning) => warn({ plugin: plugin.name, ...warning }),
    note,
    log: consoleLog.log,
  })
  return {
    setup,
    codeOf,
    renderId,
    storeDir,
    machine,
    shared,
    ...sharedBy(options),
    stop,
    signal,
    workDir,
    sources,
    hooks,
    watch,
    samples: createFrameSamples(),
    warnings,
    notes,
    emit,
    report,
    warn,
    refusal,
    gatherProblems,
    reportConsole,
    reportGroups,
    context,
    ...superviseHooks(hooks, watch),
  }
}
