import { type Blobs, COMPOSITION_SOURCE, type EncodedFile } from '@vid/kernel'
import { digestOf } from '@vid/system'
import {
  contentKey,
  type Entry,
  type KeyedEntry,
  keepEntry,
  MAX_WARNINGS,
  type SegmentKeys,
  touchEntry,
} from './entry.ts'
import type { FrameDigests } from './frame-digests.ts'
import { keepOutputs, segmentBytes, takeOutputs } from './output-blobs.ts'
import type { RenderState, StoredTask } from './render-state.ts'

/** A segment together with the composition's text. */
export interface Work {
  readonly task: StoredTask
  readonly state: RenderState
  readonly html: string
  readonly keys: SegmentKeys
}

/** Largest share of the store's limit for one segment: a larger one would evict too much. */
const MAX_SHARE = 1 / 2

/**
 * The inputs of the pages; undefined if they were drawn from another text than the plan's, so nothing may be stored.
 */
const inputsOf = async ({ task: { make }, html }: Work): Promise<Entry['inputs'] | undefined> => {
  const inputs = (await make.inputs()) ?? null
  const composition = inputs?.find(({ source }) => source === COMPOSITION_SOURCE)
  return composition === undefined || composition.digest === digestOf(html) ? inputs && [...inputs] : undefined
}

const warningsOf = async ({ task: { make } }: Work): Promise<Entry['warnings']> =>
  (await make.warnings()).slice(0, MAX_WARNINGS)

/** Stores an entry after its text, which is written once per render. */
const keepWithText = async ({ state, html }: Work, blobs: Blobs, entry: Omit<Entry, 'text'>): Promise<void> => {
  const text = digestOf(html)
  if (!state.keptTexts.has(text)) await blobs.write(contentKey(text), html)
  state.keptTexts.add(text)
  await keepEntry(blobs, { ...entry, text })
}

/** Stores a newly encoded segment. */
export const keepEncoded = (work: Work, encodedFile: EncodedFile, digests: FrameDigests): Promise<void> => {
  const { task, state, keys } = work
  return state.keep(task, async (blobs) => {
    if (blobs.maxBytes !== undefined && (await segmentBytes(encodedFile)) > blobs.maxBytes * MAX_SHARE) return
    const inputs = await inputsOf(work)
    if (inputs === undefined) return
    const outputs = await keepOutputs(blobs, task.segment.path, encodedFile)
    const warnings = await warningsOf(work)
    await keepWithText(work, blobs, { ...keys, inputs, frames: await digests.all(), outputs, warnings })
  })
}

/** Records the proof that the files of an entry are also right for this segment. */
export const keepProven = (work: Work, { entry }: KeyedEntry, before: Entry['inputs']): Promise<void> =>
  work.state.keep(work.task, async (blobs) => {
    const inputs = await inputsOf(work)
    if (inputs === undefined) return
    const sources = new Map([...(before ?? []), ...(inputs ?? [])].map((input) => [input.source, input]))
    const warnings = await warningsOf(work)
    await keepWithText(work, blobs, { ...entry, ...work.keys, inputs: inputs && [...sources.values()], warnings })
  })

/** Copies the files of an entry to the encoder's output paths; undefined if one is missing or damaged. */
export const take = ({ task, state }: Work, entry: KeyedEntry): Promise<EncodedFile | undefined> =>
  state.look(
    task,
    async (blobs) => {
      const files = await takeOutputs(blobs, task.segment.path, entry.entry.outputs)
      if (files) await touchEntry(blobs, entry)
      return files
    },
    undefined,
  )
