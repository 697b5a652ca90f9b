import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings, writeStill } from '@vid/ffmpeg'
import type { PluginContext, StillJob } from '@vid/kernel'
import { concatenate } from './concatenate.ts'
import { renditionFiles } from './names.ts'
import { piecesOf } from './pieces.ts'
import { renditionsOf } from './renditions.ts'
import { HlsSettingsSchema } from './settings.ts'

/** Writes a frame of a finished folder as a picture, from the media segment of the largest size that has it. */
export const writeFolderStill = async (
  { artifact, plan, frame, ...job }: StillJob,
  { signal, workDir }: Pick<PluginContext, 'signal' | 'workDir'>,
): Promise<void> => {
  const settings = readSettings(HlsSettingsSchema, plan.encoder.settings)
  const pieces = plan.segments.flatMap((segment) => piecesOf(segment, plan, settings))
  const index = pieces.findIndex(({ start, frames }) => frame < start + frames)
  const [largest] = renditionsOf(plan, settings)
  const { init, segment } = renditionFiles(largest?.name ?? '')
  const file = join(workDir, 'still.mp4')
  try {
    await concatenate(
      [init, segment(index)].map((name) => join(artifact.path, name)),
      file,
      signal,
    )
    await writeStill({ ...job, plan, frame: frame - (pieces[index]?.start ?? 0), file, workDir, signal })
  } finally {
    await rm(file, { force: true })
  }
}
