import { stat } from 'node:fs/promises'
import { failRender, kernelWarning } from '@vid/protocol'
import { createGrowth } from '@vid/system'
import type { KernelHooks, MixJob } from '../contracts/hooks.ts'
import type { EncodedFile, EncoderDefinition, GrowingSound, SoundGrowth } from '../contracts/roles.ts'

/** Asks the mix hook for the sound of a plan that has any; a format without sound warns instead. */
export const mixSound = async (
  hooks: Pick<KernelHooks, 'mix'>,
  encoder: Pick<EncoderDefinition<never>, 'audio'>,
  job: MixJob,
): Promise<EncodedFile | undefined> => {
  const { audio, format } = job.plan
  if (audio.length === 0) return undefined
  if (encoder.audio === false) {
    job.warn(kernelWarning('VID_AUDIO_DROPPED', { format }))
    return undefined
  }
  const mixed = await hooks.mix.promise(job)
  if (!mixed) throw failRender('VID_HOOK_UNANSWERED', { hook: 'mix', wanted: 'the sound of the plan' })
  return mixed.file === null ? undefined : { file: mixed.file }
}

/** A mix that was begun. */
export interface BegunSound {
  /** Undefined if nothing can be heard. */
  readonly growing: GrowingSound | undefined
  /** Resolves when the mix is finished, to undefined if nothing can be heard. */
  readonly audio: Promise<EncodedFile | undefined>
}

/**
 * Begins a mix. Resolves as soon as its sound can be read; if its mixer does not write it in order, when it is finished.
 */
export const beginSound = async (
  mix: (onGrowth: (growth: SoundGrowth) => void) => Promise<EncodedFile | undefined>,
): Promise<BegunSound> => {
  const growth = createGrowth()
  let sound: SoundGrowth | undefined
  const audio = mix((next) => {
    sound = next
    growth.grow()
  })
  const finish = async () => {
    const mixed = await audio
    if (!mixed) return
    if (sound && sound.file !== mixed.file)
      throw failRender('VID_HOOK_UNANSWERED', { hook: 'mix', wanted: 'the sound that it began' })
    const { size } = await stat(mixed.file)
    sound = { file: mixed.file, bytes: size, totalBytes: size }
  }
  growth.endWith(finish())
  await growth.until(() => sound !== undefined)
  if (!sound) return { growing: undefined, audio }
  const { file, totalBytes } = sound
  const grown = async (bytes: number) => {
    await growth.until(() => (sound?.bytes ?? 0) > bytes)
    return sound?.bytes ?? 0
  }
  return { growing: { file, totalBytes, grown }, audio }
}
