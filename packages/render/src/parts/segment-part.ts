import { randomUUID } from 'node:crypto'
import { cp, rename, rm } from 'node:fs/promises'
import { artifactBytes, createKernel, type EncodedFile, type RenderPlan, type Warning } from '@vid/kernel'
import { fail } from '../errors.ts'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../prepare/settings.ts'
import { isSplittable, type PartContext, type PartOptions, renderWithRetries } from './part-context.ts'

/** One segment to render. */
export interface SegmentPart {
  readonly plan: RenderPlan
  readonly index: number
  /** Absolute paths for its files, one for each output of the plan; each is a folder where the format needs one. */
  readonly paths: readonly [string, ...string[]]
}

/** A segment that is finished. */
export interface RenderedSegment {
  readonly index: number
  readonly frames: number
  /** Size of its files together. */
  readonly bytes: number
  /** Why it was reused, in words; left out when it was rendered. */
  readonly reused?: string
  readonly warnings: readonly Warning[]
}

/** Moves a file or folder, also to another file system; it is whole at its path, or not there. */
const move = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown
    const partial = `${to}.${randomUUID()}`
    try {
      await cp(from, partial, { recursive: true })
      await rename(partial, to)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  }
}

/** Renders one segment of a plan that was made here or on another machine. */
export const renderPart = async (
  settings: RenderSettings,
  { plan, index, paths }: SegmentPart,
  { context, setupOf, runOptions, inSlot }: PartContext,
  options: PartOptions,
): Promise<RenderedSegment> => {
  const { signal, onEvent, store, renderId = randomUUID() } = options
  signal.throwIfAborted()
  const prepared = await prepareRender(settings, context, { writes: false })
  const setup = setupOf(prepared, store)
  if (!isSplittable(setup)) throw fail('VID_PARTS_TARGET', { target: setup.target?.name ?? '' })
  const { projectDir } = prepared
  return inSlot(signal, async () => {
    const run = await createKernel(setup).open({
      ...{ projectDir, renderId, signal, ...runOptions() },
      ...(onEvent && { onEvent }),
    })
    try {
      const accepted = await run.acceptPlan(plan)
      const encoded = await renderWithRetries(run, accepted, index)
      const files: readonly EncodedFile[] = [encoded, ...(encoded.more ?? [])]
      let bytes = 0
      for (const [number, { file }] of files.entries()) {
        const path = paths[number]
        if (path === undefined) throw fail('VID_PARTS_FILES', { given: paths.length, wanted: files.length })
        bytes += await artifactBytes(plan.encoder.name, 'encode', file)
        await move(file, path)
      }
      return {
        ...{ index, frames: accepted.segments[index]?.frames ?? 0, bytes },
        ...(encoded.reused !== undefined && { reused: encoded.reused }),
        warnings: [...run.warnings],
      }
    } finally {
      run.reportConsole()
      await run.close()
    }
  })
}
