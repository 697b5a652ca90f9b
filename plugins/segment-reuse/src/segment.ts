import { COMPOSITION_SOURCE, type EncodedFile } from '@vid/kernel'
import { digestOf } from '@vid/system'
import { captureWhileEqual } from './comparison.ts'
import { describeReach, isUntouched, sampleFrames } from './edit-reach.ts'
import { findEntries, type KeyedEntry, keysOf, readStoredText } from './entry.ts'
import { createFrameDigests, digestFrames } from './frame-digests.ts'
import { keepEncoded, keepProven, take, type Work } from './keeping.ts'
import type { RenderState, StoredTask } from './render-state.ts'

/** Proof by inputs: captures nothing. */
const takeSameInputs = async (work: Work, entries: readonly KeyedEntry[]): Promise<EncodedFile | undefined> => {
  const { task, state, html, keys } = work
  const isSame = state.inputCheck(task, html)
  for (const entry of entries) {
    const { key, inputs } = entry.entry
    if (key !== keys.key || inputs === null || !(await isSame(inputs, task.signal))) continue
    const files = await take(work, entry)
    if (!files) continue
    // The page that raised them is not opened again.
    for (const warning of entry.entry.warnings) task.warn(warning)
    return { ...files, reused: 'the same inputs' }
  }
  return undefined
}

/** Whether sampled frames of a segment equal those of an entry. */
const samplesEqual = async ({ task: { make, segment } }: Work, { entry }: KeyedEntry, samples: readonly number[]) => {
  for (const start of samples) {
    const digests = createFrameDigests()
    for await (const frame of make.frames({ index: segment.index, start, frames: 1 })) await digests.add(frame)
    const digest = await digests.last()
    if (digest === undefined || digest !== entry.frames?.[start - segment.start]) return false
  }
  return true
}

/** Proof by the reach of an edit: captures some frames. Returns the reason if there is no such proof. */
const takeUntouched = async (work: Work, entries: readonly KeyedEntry[]): Promise<EncodedFile | string | undefined> => {
  const { task, state, html, keys } = work
  const { segment, signal } = task
  if (segment.plan.composition.stateful) return 'the page keeps state between frames'
  let reason: string | undefined
  for (const entry of entries) {
    const { base, text, frames, warnings } = entry.entry
    if (base !== keys.base || text === digestOf(html) || frames === null) continue
    // Only capturing the page shows whether the edit has fixed the error.
    if (warnings.some(({ severity }) => severity === 'error')) {
      reason = 'something was wrong with it'
      continue
    }
    const before = await state.look(task, (blobs) => readStoredText(blobs, text), undefined)
    if (before === undefined) continue
    const inputs = entry.entry.inputs?.filter(({ source }) => source !== COMPOSITION_SOURCE)
    if (!inputs || !(await state.inputCheck(task, html)(inputs, signal))) continue
    const reach = await state.reach(task, before, html)
    if ('reason' in reach) reason ??= describeReach(reach)
    if (!isUntouched(reach, segment)) continue
    const samples = sampleFrames(segment)
    if (!(await samplesEqual(work, entry, samples))) {
      reason = 'a sampled frame differs'
      continue
    }
    const files = await take(work, entry)
    if (!files) continue
    await keepProven(work, entry, inputs)
    return { ...files, reused: `${describeReach(reach)}; ${samples.length} frames compared` }
  }
  return reason
}

/** Proof by frames: captures them, and encodes from the first frame on that no stored segment has. */
const takeEqualOrEncode = async (
  work: Work,
  entries: readonly KeyedEntry[],
  reason: string | undefined,
): Promise<EncodedFile> => {
  const { make, segment } = work.task
  const candidates = entries.filter(({ entry }) => entry.frames?.length === segment.frames)
  if (candidates.length === 0) {
    const digests = createFrameDigests()
    const result = await make.encode(digestFrames(make.frames(), digests))
    await keepEncoded(work, result, digests)
    return result
  }
  const { equal, digests, frames } = await captureWhileEqual(make, candidates)
  for (const entry of equal) {
    const files = await take(work, entry)
    if (!files) continue
    await keepProven(work, entry, null)
    const why = reason === undefined ? '' : `; all were captured, since ${reason}`
    return { ...files, reused: `${segment.frames} equal frames${why}` }
  }
  const encodedFile = await make.encode(frames())
  await keepEncoded(work, encodedFile, digests)
  return encodedFile
}

/** Provides a segment from the store by the cheapest valid proof, or encodes and stores it. */
export const provideSegment = async (
  task: StoredTask,
  state: RenderState,
  fresh: boolean,
): Promise<EncodedFile | undefined> => {
  const html = await state.composition(task)
  // The files have changed since the plan was made, so the segment matches neither version.
  if (html === undefined) return undefined
  const keys = keysOf(task.segment)
  const work: Work = { task, state, html, keys }
  const entries = fresh ? [] : await state.look(task, (blobs) => findEntries(blobs, keys), [])
  const segmentFile = await takeSameInputs(work, entries)
  if (segmentFile) return segmentFile
  const outcome = await takeUntouched(work, entries)
  if (typeof outcome === 'object') return outcome
  return takeEqualOrEncode(work, entries, outcome)
}
