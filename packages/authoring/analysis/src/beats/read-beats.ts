import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { decodeSound, findFfmpeg, readSource, SAMPLE_RATE } from '@vid/ffmpeg'
import { readSamples } from '@vid/ffmpeg/sound-levels'
import { mixSound } from '@vid/kernel'
import type { OpenComposition } from '@vid/render'
import { inTempFolder, makeScratchFolder } from '@vid/system'
import { fail } from '../errors.ts'
import type { SoundBeats } from './beats-schema.ts'
import { createOnsetStrength } from './onset-strength.ts'
import { trackBeats } from './track-beats.ts'

/** The beats of a file of 48 kHz stereo floats, behind a header of a wav if it has another. */
const beatsOf = async (file: string, signal: AbortSignal, headerBytes?: number): Promise<SoundBeats> => {
  const strength = createOnsetStrength()
  let samples = 0
  const add = (left: number, right: number) => {
    strength.add((left + right) / 2)
    samples += 1
  }
  await readSamples(file, signal, add, headerBytes)
  return { ...trackBeats(strength.result()), duration: samples / SAMPLE_RATE }
}

/** The beats of a sound or video file; VID_FFMPEG_PROBE for one without sound. */
export const readFileBeats = async (file: string, signal: AbortSignal): Promise<SoundBeats> => {
  const { duration } = await readSource(file, { signal })
  const tools = await findFfmpeg({ signal })
  const folder = await inTempFolder((parent) => makeScratchFolder(parent, 'vid-beats-'))
  try {
    const output = join(folder, 'sound')
    await decodeSound({ file, from: 0, samples: Math.ceil(duration * SAMPLE_RATE), output, signal, tools })
    return await beatsOf(output, signal, 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The beats of what is heard of a composition, or of one of its sounds, in the time of the composition. */
export const readCompositionBeats = async (
  { run, plan }: Pick<OpenComposition, 'run' | 'plan'>,
  source: string | undefined,
): Promise<SoundBeats> => {
  const audio = plan.audio.filter(({ src }) => source === undefined || src === source || basename(src) === source)
  if (audio.length === 0)
    throw fail('VID_BEATS_UNHEARD', { source, sources: [...new Set(plan.audio.map(({ src }) => src))] })
  const { options: _, ...context } = run.context({ name: '@vid/analysis', options: {} })
  const path = join(context.workDir, 'beats')
  const mixed = await mixSound(run.hooks, {}, { ...context, plan: { ...plan, audio }, path })
  return mixed ? beatsOf(mixed.file, run.signal) : { tempo: null, beats: [], duration: plan.duration }
}
