import { COMPOSITION_SOURCE } from '@vid/browser'
import type { EncodedFile, PluginContext, SegmentJob, SegmentMaker } from '@vid/kernel'
import { type Cache, type CacheOptions, openCache } from './cache.ts'
import { compareFrames } from './comparison.ts'
import { digestText } from './digest.ts'
import { describeReach, isUntouched, reachOf, sampleFrames } from './edit-samples.ts'
import { type Entry, type FoundEntry, findEntries, keepEntry, keysOf, touchEntry } from './entry.ts'
import { evict, keepText, takeText } from './folder.ts'
import { createFrameDigests, type FrameDigests, noteFrames } from './frame-digests.ts'
import { bytesOf, keepOutputs, takeOutputs } from './output-files.ts'

interface Work {
  readonly job: SegmentJob
  readonly make: SegmentMaker
  readonly context: PluginContext<CacheOptions>
  readonly cache: Cache
  /** The composition's text. */
  readonly html: string
  readonly keys: ReturnType<typeof keysOf>
}

/** Does what only serves the cache; when it fails, the render goes on without. */
const quietly = async ({ cache, context }: Work, keep: () => Promise<void>): Promise<void> => {
  if (!cache.isWritable()) return
  try {
    await keep()
  } catch (cause) {
    context.signal.throwIfAborted()
    cache.giveUp(cause)
  }
}

/** What the pages were drawn from; undefined when it was another text than the plan's, which nobody asked for. */
const inputsOf = async ({ make, html }: Work): Promise<Entry['inputs'] | undefined> => {
  const inputs = (await make.inputs()) ?? null
  const drawn = inputs?.find(({ source }) => source === COMPOSITION_SOURCE)
  return drawn === undefined || drawn.digest === digestText(html) ? inputs && [...inputs] : undefined
}

/** Keeps a segment that was made now. */
const keepMade = (work: Work, made: EncodedFile, digests: FrameDigests): Promise<void> =>
  quietly(work, async () => {
    const { job, cache, context, html, keys } = work
    const { maxBytes } = context.options
    // It would push everything else out.
    if ((await bytesOf(made)) > maxBytes / 2) return
    const inputs = await inputsOf(work)
    if (inputs === undefined) return
    const outputs = await keepOutputs(cache.root, job.path, made)
    const text = await keepText(cache.root, html)
    await keepEntry(cache.root, { ...keys, text, inputs, frames: await digests.all(), outputs })
    await evict(cache.root, maxBytes)
  })

/** Keeps what is known now: the files of an entry are right for this segment too. */
const keepSame = (work: Work, found: FoundEntry, before: Entry['inputs']): Promise<void> =>
  quietly(work, async () => {
    const { cache, html, keys } = work
    const inputs = await inputsOf(work)
    if (inputs === undefined) return
    const sources = new Map([...(before ?? []), ...(inputs ?? [])].map((read) => [read.source, read]))
    const text = await keepText(cache.root, html)
    await keepEntry(cache.root, {
      ...found.entry,
      ...keys,
      text,
      inputs: inputs && [...sources.values()],
    })
  })

const take = async ({ job, cache }: Work, found: FoundEntry): Promise<EncodedFile | undefined> => {
  const made = await takeOutputs(cache.root, job.path, found.entry.outputs).catch(() => undefined)
  if (made) await touchEntry(cache.root, found)
  return made
}

/** The same inputs: nothing is captured. */
const takeOwn = async (work: Work, entries: readonly FoundEntry[]): Promise<EncodedFile | undefined> => {
  const { cache, html, keys, context, make } = work
  const isSame = cache.isSame(html, make.captureOptions)
  for (const found of entries) {
    const { key, inputs } = found.entry
    if (key !== keys.key || inputs === null || !(await isSame(inputs, context.signal))) continue
    const made = await take(work, found)
    if (made) return { ...made, reused: 'the same inputs' }
  }
  return undefined
}

/** Whether some frames of a segment equal those of an entry. */
const samplesEqual = async ({ job, make }: Work, { entry }: FoundEntry, samples: readonly number[]) => {
  for (const start of samples) {
    const digests = createFrameDigests()
    for await (const frame of make.frames({ index: job.index, start, frames: 1 })) await digests.add(frame)
    const own = await digests.last()
    if (own === undefined || own !== entry.frames?.[start - job.start]) return false
  }
  return true
}

/** An edit that does not reach this segment: some frames are captured. Gives the reason when there is no such proof. */
const takeUntouched = async (
  work: Work,
  entries: readonly FoundEntry[],
): Promise<EncodedFile | string | undefined> => {
  const { cache, html, job, keys, context, make } = work
  if (job.plan.composition.stateful) return 'the page keeps state between frames'
  let reason: string | undefined
  for (const found of entries) {
    const { base, text, frames } = found.entry
    if (base !== keys.base || text === digestText(html) || frames === null) continue
    const before = await takeText(cache.root, text)
    if (before === undefined) continue
    const inputs = found.entry.inputs?.filter(({ source }) => source !== COMPOSITION_SOURCE)
    if (!inputs || !(await cache.isSame(html, make.captureOptions)(inputs, context.signal))) continue
    const reach = reachOf(before, html)
    if ('reason' in reach) reason ??= describeReach(reach)
    if (!isUntouched(reach, job)) continue
    const samples = sampleFrames(job)
    if (!(await samplesEqual(work, found, samples))) {
      reason = 'a sampled frame differs'
      continue
    }
    const made = await take(work, found)
    if (!made) continue
    await keepSame(work, found, inputs)
    return { ...made, reused: `${describeReach(reach)}; ${samples.length} frames compared` }
  }
  return reason
}

/** Other inputs: frames are captured, and encoded from the first on that no kept segment has. */
const makeOrTake = async (
  work: Work,
  entries: readonly FoundEntry[],
  reason: string | undefined,
): Promise<EncodedFile> => {
  const { make, job } = work
  const candidates = entries.filter(({ entry }) => entry.frames?.length === job.frames)
  if (candidates.length === 0) {
    const digests = createFrameDigests()
    const made = await make.encode(noteFrames(make.frames(), digests))
    await keepMade(work, made, digests)
    return made
  }
  const { equal, digests, frames } = await compareFrames(make, candidates)
  for (const found of equal) {
    const made = await take(work, found)
    if (!made) continue
    await keepSame(work, found, null)
    const why = reason === undefined ? '' : `; all were captured, since ${reason}`
    return { ...made, reused: `${job.frames} equal frames${why}` }
  }
  const made = await make.encode(frames())
  await keepMade(work, made, digests)
  return made
}

/** Takes a segment from the cache in the cheapest way that is exact, or makes and keeps it. */
export const storeSegment = async (
  job: SegmentJob,
  make: SegmentMaker,
  context: PluginContext<CacheOptions>,
): Promise<EncodedFile> => {
  const cache = await openCache(context)
  const html = await cache.composition(job.plan, context.signal)
  // The files have changed since the plan was made: what comes out belongs to neither.
  if (html === undefined) return make.encode(make.frames())
  const keys = keysOf(job)
  const work: Work = { job, make, context, cache, html, keys }
  const entries = context.options.fresh ? [] : await findEntries(cache.root, keys)
  const own = await takeOwn(work, entries)
  if (own) return own
  const untouched = await takeUntouched(work, entries)
  if (typeof untouched === 'object') return untouched
  return makeOrTake(work, entries, untouched)
}
