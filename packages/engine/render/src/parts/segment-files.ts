import { cp, rename } from 'node:fs/promises'
import { artifactBytes, type EncodedFile } from '@vid/kernel'
import type { RenderPlan, Warning } from '@vid/protocol'
import { writeWhole } from '@vid/system'
import { fail } from '../errors.ts'

/**
 * Absolute paths for the files of a segment, one for each output of the plan; each is a folder where the format needs
 * one.
 */
export type SegmentPaths = readonly [string, ...string[]]

/** A segment that is finished. */
export interface RenderedSegment {
  readonly index: number
  readonly frames: number
  /** Size of its files together. */
  readonly bytes: number
  /** The reason for reusing it; left out if it was rendered. */
  readonly reused?: string
  readonly warnings: readonly Warning[]
}

/** Moves a file or folder, also to another file system; it is whole at its path, or not there. */
const move = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown
    await writeWhole(to, (partial) => cp(from, partial, { recursive: true }))
  }
}

/** Moves the files of an encoded segment to their paths; returns its facts, without warnings. */
export const placeSegment = async (
  encoded: EncodedFile,
  index: number,
  plan: RenderPlan,
  paths: SegmentPaths,
): Promise<Omit<RenderedSegment, 'warnings'>> => {
  const files: readonly EncodedFile[] = [encoded, ...(encoded.more ?? [])]
  let bytes = 0
  for (const [number, { file }] of files.entries()) {
    const path = paths[number]
    if (path === undefined) throw fail('VID_PARTS_FILES', { given: paths.length, wanted: files.length })
    bytes += await artifactBytes(plan.encoder.name, 'encode', file)
    await move(file, path)
  }
  const { reused } = encoded
  const frames = plan.segments[index]?.frames ?? 0
  return { index, frames, bytes, ...(reused !== undefined && { reused }) }
}
