import { basename, dirname, join, resolve } from 'node:path'
import { createSequence, isVidError, type RenderEvent, type RenderResult, type VidError } from '@vid/protocol'
import { untilAborted } from '@vid/system'
import { isRowFinished } from '../batch/earlier-rows.ts'
import { readRowFiles } from '../batch/row-files.ts'
import { createRowPlans } from '../batch/row-plans.ts'
import { withoutNames } from '../batch/row-problems.ts'
import { fillTemplate, placeholdersOf } from '../batch/template.ts'
import { codedError } from '../failure/coded-error.ts'
import { placeKey } from '../outputs/identity.ts'
import { type ContextOptions, openContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender, type Requests } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { rowError } from '../table/json-rows.ts'
import type { BatchRow } from '../table/listed-row.ts'
import { type Journal, openJournal } from './journal.ts'
import { createRenderer, type Renderer } from './renderer.ts'

/** How rows of a program are rendered; `output` is a template of paths, such as `out/{name}.mp4`. */
export interface RenderBatchOptions extends Omit<RenderSettings, 'variables' | 'inputs'> {
  /** Rows rendered at once, 1 if left out; no more are read than these and one that is prepared. */
  readonly concurrency?: number
  /** Ends the batch: running rows are stopped, and the iteration rejects with the reason. */
  readonly signal?: AbortSignal
  /** A file that remembers finished rows: with the same one, the next call skips those that have not changed. */
  readonly journal?: string
  readonly context?: ContextOptions
  /** Called with each event of a row's render. */
  onRender?(index: number, event: RenderEvent): void
}

/** How a row ended. */
export type BatchResult = {
  /** Counted from 0, in the order in which rows were read. */
  readonly index: number
  readonly variables: BatchRow
} & (
  | {
      readonly status: 'completed'
      readonly outputPath: string
      readonly durationMs: number
      /** One for each capture. */
      readonly results: readonly RenderResult[]
    }
  | { readonly status: 'unchanged'; readonly outputPath: string; readonly durationMs: number }
  | { readonly status: 'failed'; readonly error: VidError }
)

interface Stream {
  readonly options: RenderBatchOptions
  readonly prepared: PreparedRender
  readonly renderer: Renderer
  readonly journal: Journal
  readonly planOf: Awaited<ReturnType<typeof createRowPlans>>
  /** The variables of a row that its video is rendered with. */
  valuesOf(row: BatchRow): Promise<BatchRow>
  /** Outputs of earlier rows, and their numbers. */
  readonly owners: Map<string, number>
  /** Gives out the outputs in the order of the rows, however long each takes to prepare. */
  readonly claiming: ReturnType<typeof createSequence>
  readonly signal: AbortSignal
}

/** The requests of a row, and its output as its render is asked for it, at a path that no earlier row has. */
const requestsOf = async (
  { options, prepared, valuesOf, owners, claiming }: Stream,
  row: BatchRow,
  index: number,
): Promise<{ readonly requests: Requests; readonly values: BatchRow; readonly output: string }> => {
  const filled = options.output === undefined ? undefined : fillTemplate(options.output, row, index)
  const [fault] = filled?.problems ?? []
  if (fault) throw rowError([index], fault.problem, 'index')
  const name = `${basename(prepared.projectDir) || 'video'}-${index}`
  const reading = valuesOf(row)
  const preparing = reading.then((variables) => prepared.requestsFor({ variables, name, output: filled?.path }))
  preparing.catch(() => {})
  return claiming(async () => {
    const { requests } = await preparing
    const path = requests[0].output
    const key = await placeKey(path)
    const owner = owners.get(key)
    if (owner !== undefined) throw rowError([owner, index], `they make the same file, ${path}`, 'index')
    owners.set(key, index)
    // The encoders of several formats add their extensions.
    return { requests, values: await reading, output: filled?.path ?? join(dirname(path), name) }
  })
}

const renderRow = async (stream: Stream, variables: BatchRow, index: number): Promise<BatchResult> => {
  const { options, renderer, journal, planOf, signal } = stream
  const { concurrency: _, signal: _signal, journal: _journal, context: _context, onRender, ...settings } = options
  const { requests, values, output } = await requestsOf(stream, variables, index)
  const [{ output: outputPath }] = requests
  const plan = await planOf({ requests, variables: values })
  const before = journal.entryOf(outputPath)
  const facts = before && { ...before, status: 'completed' as const }
  if (options.fresh !== true && facts && (await isRowFinished({ requests }, plan, facts)))
    return { index, variables, status: 'unchanged', outputPath, durationMs: facts.durationMs }
  const { results } = await renderer.render(
    { ...settings, variables: values, output },
    { signal, ...(onRender && { onEvent: (event) => onRender(index, event) }) },
  )
  const durationMs = results[0]?.durationMs ?? 0
  const files = plan === null ? null : await readRowFiles({ requests })
  if (files && plan !== null)
    await journal.add({ outputPath, plan, files, durationMs, completedAt: new Date().toISOString() })
  return { index, variables, status: 'completed', outputPath, durationMs, results }
}

/** A row's end; a failure of the row is a result, and an abort or an unwritable journal ends the batch. */
const endOf = (stream: Stream, variables: BatchRow, index: number): Promise<BatchResult> =>
  renderRow(stream, variables, index).catch((thrown: unknown) => {
    stream.signal.throwIfAborted()
    if (isVidError(thrown) && thrown.code === 'VID_MANIFEST_UNWRITABLE') throw thrown
    return { index, variables, status: 'failed', error: codedError(thrown, stream.signal) }
  })

/** What of a row are its variables: where they are checked strictly, values that only name the output are none. */
const valuesFor = (
  { requests: [request] }: PreparedRender,
  template: string,
  signal: AbortSignal,
): Stream['valuesOf'] => {
  const { projectDir, entry = 'index.html', strictVariables } = request
  if (!strictVariables) return async (row) => row
  const placeholders = placeholdersOf(template)
  return async (row) => {
    const { loadComposition } = await import('@vid/core')
    const { composition } = await loadComposition(projectDir, entry, { signal })
    return withoutNames({ variables: row }, composition, placeholders)
  }
}

const openStream = async (options: RenderBatchOptions, signal: AbortSignal): Promise<Stream> => {
  const {
    concurrency = 1,
    signal: _,
    journal: path,
    context: contextOptions = {},
    onRender: _onRender,
    ...settings
  } = options
  const context = await openContext(contextOptions)
  const journalPath = path === undefined ? undefined : resolve(context.cwd, path)
  const journal = await openJournal(journalPath)
  const prepared = await prepareRender(settings, context, { isTemplate: true })
  const written = new Set([...journal.files, ...(journalPath === undefined ? [] : [journalPath])])
  const planOf = journalPath === undefined ? async () => null : await createRowPlans({ prepared }, { written, signal })
  const renderer = await createRenderer({ ...contextOptions, concurrency })
  const valuesOf = valuesFor(prepared, options.output ?? '', signal)
  const [owners, claiming] = [new Map<string, number>(), createSequence()]
  return { options, prepared, renderer, journal, planOf, valuesOf, owners, claiming, signal }
}

/**
 * Renders a video for each row of an array, a database cursor, a queue or any other iterable, and yields how each ended,
 * in the order in which they end. Rows are read as they are needed: a consumer that is slow slows the reading.
 */
export async function* renderBatch(
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  options: RenderBatchOptions = {},
): AsyncGenerator<BatchResult, void, undefined> {
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  signal.throwIfAborted()
  const source = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  const stream = await openStream(options, signal)
  const running = new Map<number, Promise<BatchResult>>()
  const atOnce = (options.concurrency ?? 1) + 1
  let reading: Promise<IteratorResult<BatchRow>> | undefined
  let count = 0
  let isDone = false
  try {
    while (!isDone || running.size > 0) {
      if (!isDone && running.size < atOnce) reading ??= Promise.resolve(source.next())
      // The end of a row is yielded while the source still waits for its next.
      const next = await untilAborted(
        Promise.race<IteratorResult<BatchRow> | BatchResult>([...(reading ? [reading] : []), ...running.values()]),
        signal,
      )
      if ('status' in next) {
        running.delete(next.index)
        yield next
        continue
      }
      reading = undefined
      isDone = next.done === true
      if (next.done) continue
      const end = endOf(stream, next.value, count)
      end.catch(() => {})
      running.set(count, end)
      count += 1
    }
  } finally {
    stop.abort()
    await stream.renderer.close()
    await Promise.allSettled(running.values())
    const closing = isDone ? undefined : Promise.resolve(source.return?.())
    // A source that waits for its next row may never answer.
    if (reading) closing?.catch(() => {})
    else await closing
  }
}
