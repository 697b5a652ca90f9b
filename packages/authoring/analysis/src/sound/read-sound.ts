import { join } from 'node:path'
import { planLoudness } from '@vid/ffmpeg/sound-levels'
import { type EncodedFile, mixSound } from '@vid/kernel'
import type { OpenComposition } from '@vid/render'
import type { CompositionSound } from './composition-sound.ts'
import { measureSound } from './measure-sound.ts'

/** What a composition's sound is made from. */
type SoundingComposition = Pick<OpenComposition, 'run' | 'plan' | 'request'>

/** A wav with the sound of an open composition, mixed as a render mixes it; undefined when nothing is heard. */
export const mixComposition = async ({ run, plan, request }: SoundingComposition): Promise<EncodedFile | undefined> => {
  const { options: _, ...context } = run.context({ name: '@vid/analysis', options: {} })
  const planned = await planLoudness(plan, { ...context, request })
  return mixSound(run.hooks, {}, { ...context, plan: planned, path: join(context.workDir, 'mixed') })
}

/** What is heard of an open composition; null when nothing is. */
export const readSound = async (composition: SoundingComposition): Promise<CompositionSound | null> => {
  const mixed = await mixComposition(composition)
  return mixed ? measureSound(mixed.file, composition.run.signal) : null
}
