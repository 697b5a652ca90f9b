import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { effectiveOptions } from '@vid/protocol'
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
import { createWarnings } from './warnings/render-warnings.ts'

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

/** Tells the observers of a render what happens, and when nothing has happened for long. */
const createEvents = (
  hooks: KernelHooks,
  {
    renderId,
    onEvent,
    signal,
  }: {
    readonly renderId: string
    readonly onEvent: RunOptions['onEvent'] | undefined
    readonly signal: AbortSignal
  },
) => {
  const waiting = createWaiting(signal, (wait) => tellObservers({ type: 'render-waiting', ...wait }))
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
  return { emit, report, touch: waiting.touch }
}

const createNotes = () => {
  const notes: string[] = []
  const note = (reason: string) => {
    if (!notes.includes(reason)) notes.push(reason)
  }
  return { notes, note }
}

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
  const { emit, report, touch } = createEvents(hooks, { renderId, onEvent, signal })
  const watch = createWatch(signal, touch)
  const { notes, note } = createNotes()
  const { warn, ...warnings } = createWarnings({
    strict: options.strict,
    emit,
    stop: (reason) => stop.abort(reason),
  })
  const sources = createSources(hooks, { projectDir, signal, reading, warn })
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
    notes,
    emit,
    report,
    warn,
    ...warnings,
    reportConsole,
    context,
    ...superviseHooks(hooks, watch),
  }
}
